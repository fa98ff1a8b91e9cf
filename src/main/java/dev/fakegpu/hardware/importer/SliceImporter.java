package dev.fakegpu.hardware.importer;

import dev.fakegpu.api.CustomSpec;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.api.NodeSelectorSpec;
import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.api.PoolSpec;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Converts the ResourceSlices of a cluster to FakeGpus. Pools that are equal on several nodes become one FakeGpu; each other pool becomes a
 * FakeGpu of its own.
 */
public final class SliceImporter {

    private static final DeviceTaint COMPANION_ONLY =
            new DeviceTaint(Labels.ALLOCATOR_TAINT, Labels.COMPANION, "NoSchedule");
    private static final int MAX_NAME = 40;
    private static final String NAME = "(?=.{1," + MAX_NAME + "}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?";

    private final ImportOptions options;
    private final List<String> notes = new ArrayList<>();
    private RenamedNodes nodeNames = new RenamedNodes(Map.of());

    private SliceImporter(ImportOptions options) {
        this.options = options;
    }

    /**
     * The result of an import.
     *
     * @param notes a sentence for each difference from the original
     */
    public record Result(List<Imported> fakeGpus, List<String> notes) {}

    /**
     * A FakeGpu and the pools that it should publish.
     *
     * @param pools the pools, with the new node names
     */
    public record Imported(ImportedFakeGpu fakeGpu, List<PoolContent> pools) {}

    /** @throws IllegalArgumentException if the number of nodes differs from that of {@code nodeNames} */
    public static Result of(List<Slice> slices, ImportOptions options) {
        return new SliceImporter(options).read(slices);
    }

    /** Converts counter sets and devices to custom hardware without mixins. */
    public static CustomSpec toCustomSpec(PoolContent pool) {
        return new CustomSpecWriter(pool.pool().name(), new ArrayList<>()).write(pool);
    }

    /** The pools that become one FakeGpu. */
    private record Key(PoolContent content, int copy) {}

    private Result read(List<Slice> slices) {
        var byPool = new TreeMap<PoolId, List<Slice>>();
        slices.forEach(slice -> byPool.computeIfAbsent(slice.pool(), ignored -> new ArrayList<>())
                .add(slice));
        var pools = new ArrayList<PoolContent>();
        byPool.forEach(
                (pool, its) -> pools.add(withoutTaintTimes(withoutAttributes(PoolContent.of(pool, its, notes)))));
        nameNodes(pools);
        var groups = new LinkedHashMap<Key, List<PoolContent>>();
        pools.stream().filter(this::hasDevices).forEach(pool -> add(groups, pool));
        List<Imported> fakeGpus = imported(List.copyOf(groups.values()));
        if (options.simulated()) {
            noteSeparatedNodes(fakeGpus);
        }
        return new Result(fakeGpus, List.copyOf(notes));
    }

    private boolean hasDevices(PoolContent pool) {
        if (pool.devices().isEmpty()) {
            notes.add(
                    "pool " + pool.pool().name() + " of " + pool.pool().driver() + ": has no devices; it is left out");
        }
        return !pool.devices().isEmpty();
    }

    /** A FakeGpu has only one pool per node, so a second equal pool on a node becomes a second FakeGpu. */
    private static void add(Map<Key, List<PoolContent>> groups, PoolContent pool) {
        for (int copy = 0; ; copy++) {
            List<PoolContent> group =
                    groups.computeIfAbsent(new Key(pool.withoutLocation(), copy), ignored -> new ArrayList<>());
            boolean taken = group.stream().anyMatch(other -> other.nodes().equals(pool.nodes()));
            if (!taken) {
                group.add(pool);
                return;
            }
        }
    }

    private PoolContent withoutAttributes(PoolContent pool) {
        if (options.withoutAttributes().isEmpty()) {
            return pool;
        }
        return with(pool, pool.devices().stream().map(this::withoutAttributes).toList(), pool.nodes());
    }

    private Device withoutAttributes(Device device) {
        Map<String, AttributeValue> attributes = new LinkedHashMap<>(device.attributes());
        attributes.keySet().removeAll(options.withoutAttributes());
        return device.withAttributes(attributes);
    }

    private static PoolContent with(PoolContent pool, List<Device> devices, NodeSelection nodes) {
        return new PoolContent(
                pool.pool(),
                nodes,
                pool.counterSets(),
                devices,
                pool.partitionTypeAttribute(),
                pool.skipNodeOperations());
    }

    /** Renames the nodes. New names are in the order of the old ones. */
    private void nameNodes(List<PoolContent> pools) {
        var old = new TreeSet<String>();
        pools.forEach(pool -> {
            RenamedNodes.of(pool.nodes()).ifPresent(old::add);
            pool.devices().forEach(device -> RenamedNodes.of(device.nodes()).ifPresent(old::add));
        });
        nodeNames = RenamedNodes.of(old, options.nodeNames());
        pools.replaceAll(pool ->
                with(pool, pool.devices().stream().map(nodeNames::rename).toList(), nodeNames.rename(pool.nodes())));
    }

    private List<Imported> imported(List<List<PoolContent>> groups) {
        Map<String, Integer> alike = new LinkedHashMap<>();
        groups.forEach(group -> alike.merge(base(group), 1, Integer::sum));
        Map<String, Integer> numbers = new LinkedHashMap<>();
        Set<String> names = new LinkedHashSet<>();
        var imported = new ArrayList<Imported>();
        for (List<PoolContent> group : groups) {
            String base = base(group);
            int number = numbers.merge(base, 1, Integer::sum);
            String name = name(base, alike.getOrDefault(base, 1) == 1 ? "" : "-" + number, names);
            imported.add(imported(name, group));
        }
        return List.copyOf(imported);
    }

    /** The prefix of the FakeGpu's name. A pool that several nodes can access has the name of its FakeGpu. */
    private String base(List<PoolContent> group) {
        if (options.name() != null) {
            return options.name();
        }
        PoolContent first = group.get(0);
        boolean isLocal = first.nodes() instanceof NodeSelection.NodeName;
        return !isLocal && first.pool().name().matches(NAME)
                ? first.pool().name()
                : first.pool().driver().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    }

    /** Makes names unique: two drivers can result in the same name, because dots are replaced and upper case becomes lower case. */
    private static String name(String base, String number, Set<String> names) {
        for (String suffix = number; ; suffix += "-x") {
            int room = MAX_NAME - suffix.length();
            String name = base.substring(0, Math.min(room, base.length())).replaceAll("^-+|-+$", "") + suffix;
            if (names.add(name)) {
                return name;
            }
        }
    }

    private Imported imported(String name, List<PoolContent> pools) {
        PoolContent first = pools.get(0);
        boolean companion = first.devices().stream()
                .allMatch(device -> device.taints().stream().anyMatch(SliceImporter::isCompanionOnly));
        List<PoolContent> desired = pools.stream()
                .map(pool -> companion ? with(pool, withoutCompanionTaint(pool.devices()), pool.nodes()) : pool)
                .toList();
        PoolSpec pool = poolSpec(pools);
        if (pool == null) {
            noteNames(name, pools);
        }
        return new Imported(
                new ImportedFakeGpu(
                        new ImportedFakeGpu.Metadata(name),
                        new ImportedFakeGpu.Spec(
                                first.pool().driver(),
                                companion ? AllocatorName.Companion : AllocatorName.KubeScheduler,
                                nodes(name, pools),
                                pool,
                                first.partitionTypeAttribute(),
                                first.skipNodeOperations(),
                                new CustomSpecWriter(first.pool().name(), notes).write(desired.get(0)))),
                pools);
    }

    /** Removes the time of the companion's taint, which is meaningless and differs between slices. */
    private static PoolContent withoutTaintTimes(PoolContent pool) {
        return with(
                pool,
                pool.devices().stream()
                        .map(device -> device.withTaints(device.taints().stream()
                                .map(taint -> isCompanionOnly(taint) ? COMPANION_ONLY : taint)
                                .toList()))
                        .toList(),
                pool.nodes());
    }

    /** Removes the companion's taint, which the operator adds to every device anyway. */
    private static List<Device> withoutCompanionTaint(List<Device> devices) {
        return devices.stream()
                .map(device -> device.withTaints(device.taints().stream()
                        .filter(taint -> !isCompanionOnly(taint))
                        .toList()))
                .toList();
    }

    private static boolean isCompanionOnly(DeviceTaint taint) {
        return taint.addedAt(null).equals(COMPANION_ONLY);
    }

    private NodesSpec nodes(String name, List<PoolContent> pools) {
        NodeSelection nodes = pools.get(0).nodes();
        if (nodes instanceof NodeSelection.NodeName) {
            return options.simulated()
                    ? new NodesSpec(
                            List.of(),
                            null,
                            new NodesSpec.Simulated(pools.size(), null, Map.of(), Map.of(), List.of()),
                            null,
                            null,
                            null)
                    : new NodesSpec(
                            pools.stream()
                                    .flatMap(pool -> RenamedNodes.of(pool.nodes()).stream())
                                    .toList(),
                            null,
                            null,
                            null,
                            null,
                            null);
        }
        if (nodes instanceof NodeSelection.Matching matching) {
            Optional<NodeSelectorSpec> selector = CustomSpecWriter.selector(matching.selector());
            if (selector.isPresent()) {
                return new NodesSpec(List.of(), null, null, null, selector.get(), null);
            }
        }
        if (!(nodes instanceof NodeSelection.AllNodes)) {
            notes.add("FakeGpu %s: pool %s is reached from %s, which cannot be said; from all nodes instead"
                    .formatted(name, pools.get(0).pool().name(), nodes));
        }
        return new NodesSpec(List.of(), null, null, true, null, null);
    }

    /** The names of the pools with a placeholder for the node; null if not all contain the node's name in the same way. */
    private @Nullable PoolSpec poolSpec(List<PoolContent> pools) {
        List<String> templates = pools.stream()
                .map(pool -> RenamedNodes.of(pool.nodes())
                        .map(node -> template(pool.pool().name(), oldName(node)))
                        .orElse(""))
                .distinct()
                .toList();
        return templates.size() == 1 && PoolSpec.isTemplate(templates.get(0)) ? new PoolSpec(templates.get(0)) : null;
    }

    private static String template(String pool, String node) {
        return pool.replaceAll(
                "(?<![a-z0-9])" + Pattern.quote(node) + "(?![a-z0-9])", Matcher.quoteReplacement(PoolSpec.NODE));
    }

    private String oldName(String node) {
        return nodeNames.byOld().entrySet().stream()
                .filter(entry -> entry.getValue().equals(node))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(node);
    }

    private void noteNames(String name, List<PoolContent> pools) {
        if (pools.get(0).nodes() instanceof NodeSelection.NodeName) {
            notes.add("FakeGpu %s: its pools are called <node>/%s and not %s".formatted(name, name, names(pools)));
        } else if (!pools.get(0).pool().name().equals(name)) {
            notes.add("FakeGpu %s: its pool is called %s and not %s".formatted(name, name, names(pools)));
        }
    }

    private static String names(List<PoolContent> pools) {
        return pools.get(0).pool().name() + (pools.size() > 1 ? " and so on" : "");
    }

    /** Adds a note for each node whose devices are in several FakeGpus, since each FakeGpu has its own simulated nodes. */
    private void noteSeparatedNodes(List<Imported> fakeGpus) {
        Map<String, Set<String>> byNode = new TreeMap<>();
        fakeGpus.forEach(imported -> imported.pools()
                .forEach(pool -> RenamedNodes.of(pool.nodes())
                        .ifPresent(node -> byNode.computeIfAbsent(node, ignored -> new LinkedHashSet<>())
                                .add(imported.fakeGpu().metadata().name()))));
        byNode.forEach((node, names) -> {
            if (names.size() > 1) {
                notes.add("node %s: its devices are on different simulated nodes, those of %s"
                        .formatted(node, String.join(" and ", names)));
            }
        });
    }
}
