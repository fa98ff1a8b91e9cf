package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.Labels;
import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.api.SimulatedNode;
import dev.fakegpu.hardware.catalog.NodeProfile;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The labels and the capacity that a FakeGpu sets on its simulated nodes. Annotations list them, so that what the FakeGpu no longer has is
 * removed, and what users have set is kept.
 */
final class NodeSettings {
    private static final String MEMORY = "memory";

    private NodeSettings() {}

    /** The settings of simulated nodes in a spec, with the capacity of the machine that it names; null if there are none. */
    static NodesSpec.@Nullable Simulated simulated(FakeGpuSpec spec) {
        var simulated = spec.nodes().simulated();
        String profile = spec.topologyOrDefault().profile();
        if (simulated == null || profile == null) {
            return simulated;
        }
        var amounts = new LinkedHashMap<String, Quantity>();
        NodeProfile.find(profile)
                .ifPresent(machine ->
                        machine.capacity().forEach((resource, amount) -> amounts.put(resource, new Quantity(amount))));
        return simulated.withMore(amounts);
    }

    /** The desired node; metadata and status may differ from the given one. */
    static Node apply(Node node, NodesSpec.Simulated spec) {
        var status = node.getStatus();
        var capacity = resources(node, status == null ? null : status.getCapacity(), spec);
        return new NodeBuilder(node)
                .editMetadata()
                .withLabels(labels(node, spec))
                .withAnnotations(annotations(node, spec))
                .endMetadata()
                .editOrNewStatus()
                .withCapacity(capacity)
                .withAllocatable(allocatable(node, status == null ? null : status.getAllocatable(), spec, capacity))
                .endStatus()
                .build();
    }

    private static Map<String, String> labels(Node node, NodesSpec.Simulated spec) {
        var labels = copy(node.getMetadata().getLabels());
        labels.keySet().removeAll(former(node, Labels.NODE_LABELS, spec.labels().keySet()));
        labels.putAll(spec.labels());
        return labels;
    }

    private static Map<String, Quantity> resources(
            Node node, @Nullable Map<String, Quantity> current, NodesSpec.Simulated spec) {
        var resources = copy(current);
        former(node, Labels.NODE_CAPACITY, spec.capacity().keySet()).forEach(name -> {
            resources.remove(name);
            Quantity initial = SimulatedNode.CAPACITY.get(name);
            if (initial != null) {
                resources.put(name, initial);
            }
        });
        spec.capacity().forEach((name, amount) -> {
            if (!isSame(resources.get(name), amount)) {
                resources.put(name, amount);
            }
        });
        return resources;
    }

    /** As a kubelet says it: memory that is set aside for huge pages cannot be used otherwise ({@code pkg/kubelet/nodestatus/setters.go}). */
    private static Map<String, Quantity> allocatable(
            Node node,
            @Nullable Map<String, Quantity> current,
            NodesSpec.Simulated spec,
            Map<String, Quantity> capacity) {
        var allocatable = resources(node, current, spec);
        var names = former(node, Labels.NODE_CAPACITY, Set.of());
        names.addAll(spec.capacity().keySet());
        if (names.stream().anyMatch(NodeSettings::isHugePages) && capacity.containsKey(MEMORY)) {
            dev.fakegpu.dra.Quantity memory = parse(capacity.get(MEMORY));
            for (var each : capacity.entrySet()) {
                memory = isHugePages(each.getKey()) ? memory.minus(parse(each.getValue())) : memory;
            }
            Quantity rest =
                    new Quantity(memory.max(dev.fakegpu.dra.Quantity.ZERO).toString());
            if (!isSame(allocatable.get(MEMORY), rest)) {
                allocatable.put(MEMORY, rest);
            }
        }
        return allocatable;
    }

    private static boolean isHugePages(String resource) {
        return resource.startsWith("hugepages-");
    }

    /** The API server may have stored it in another notation. */
    private static boolean isSame(@Nullable Quantity stored, Quantity wanted) {
        return stored != null && parse(stored).equals(parse(wanted));
    }

    private static dev.fakegpu.dra.Quantity parse(Quantity quantity) {
        return dev.fakegpu.dra.Quantity.parse(quantity.toString());
    }

    /** The keys that an earlier spec set and this one does not. */
    private static Set<String> former(Node node, String annotation, Collection<String> now) {
        String names = copy(node.getMetadata().getAnnotations()).getOrDefault(annotation, "");
        var former = new TreeSet<>(List.of(names.split(",", -1)));
        former.removeAll(now);
        return former;
    }

    private static Map<String, String> annotations(Node node, NodesSpec.Simulated spec) {
        var annotations = copy(node.getMetadata().getAnnotations());
        setNames(annotations, Labels.NODE_LABELS, spec.labels().keySet());
        setNames(annotations, Labels.NODE_CAPACITY, spec.capacity().keySet());
        return annotations;
    }

    private static void setNames(Map<String, String> annotations, String annotation, Collection<String> names) {
        if (names.isEmpty()) {
            annotations.remove(annotation);
        } else {
            annotations.put(annotation, String.join(",", new TreeSet<>(names)));
        }
    }

    private static <T> Map<String, T> copy(@Nullable Map<String, T> map) {
        return new LinkedHashMap<>(Objects.requireNonNullElse(map, Map.of()));
    }
}
