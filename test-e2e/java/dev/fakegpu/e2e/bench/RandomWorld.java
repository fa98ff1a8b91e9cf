package dev.fakegpu.e2e.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.kube.client.ClientSerialization;
import dev.fakegpu.simulate.Schedulers;
import dev.fakegpu.simulate.Simulation;
import dev.fakegpu.simulate.SimulationOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Nodes of different sizes with FakeGpus of different kinds, or only with the objects that these publish. */
final class RandomWorld {

    private static final List<String> HARDWARE = List.of(
            "model: A100-SXM4-40GB, count: 2, partitions: {whole: true}",
            "model: A100-SXM4-40GB, count: 1, partitions: {whole: true, mig: {profiles: [1g.5gb, 2g.10gb, 3g.20gb]}}",
            "model: A100-SXM4-40GB, count: 1, partitions: {whole: false, mig: {profiles: [1g.5gb+me, 3g.20gb]}, vgpu: {types: [10C, 20C]}}",
            "model: A100-SXM4-40GB, count: 1, sharing: {mode: Memory, memory: {default: 10Gi, validValues: [10Gi, 20Gi, 39Gi]}}");
    private static final List<String> SIZES = List.of(
            "{cpu: 4, memory: 16Gi, pods: 110}", "{cpu: 8, memory: 16Gi, pods: 110}",
            "{cpu: 8, memory: 32Gi, pods: 110}", "{cpu: 16, memory: 64Gi, pods: 4}");

    /** What the name of a FakeGpu's only node ends with. */
    private static final String NODE = "-node-0";

    private static final ObjectMapper JSON = ClientSerialization.mapper();
    private static final YAMLMapper YAML = new YAMLMapper();

    private final Random random;
    private final String driver;
    private final PlayedBy playedBy;
    private final List<String> nodes = new ArrayList<>();

    /** @param driver the driver of all devices, which is also the name of their class */
    RandomWorld(Random random, String driver, PlayedBy playedBy) {
        this.random = random;
        this.driver = driver;
        this.playedBy = playedBy;
    }

    static JsonNode json(String yaml) {
        try {
            return YAML.readTree(yaml);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(yaml, e);
        }
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    List<String> nodes() {
        return nodes;
    }

    /** The pools of the nodes, in the same order. */
    List<String> pools() {
        return nodes.stream()
                .map(node -> node + "/" + node.substring(0, node.length() - NODE.length()))
                .toList();
    }

    /** @param prefix the prefix of the names of nodes */
    List<JsonNode> objects(String prefix) {
        int count = 2 + random.nextInt(3);
        String same = any(HARDWARE);
        boolean isUniform = random.nextBoolean();
        var fakeGpus = new ArrayList<JsonNode>();
        for (int i = 0; i < count; i++) {
            fakeGpus.add(fakeGpu(prefix + "-" + i, isUniform ? same : any(HARDWARE)));
        }
        Stream<JsonNode> classes = Stream.of(deviceClass(), priorityClass(prefix));
        return Stream.concat(classes, playedBy.isBare() ? published(fakeGpus) : fakeGpus.stream())
                .toList();
    }

    /** A FakeGpu with a node. */
    private JsonNode fakeGpu(String name, String hardware) {
        JsonNode fakeGpu = json("""
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: %s}
                spec: {driver: %s, allocator: %s, deviceClasses: Unmanaged, %s, nodes: {simulated: {count: 1, taint: None, capacity: %s}}}
                """.formatted(name, driver, playedBy.allocator(), hardware, any(SIZES)));
        if (!playedBy.isBare()) {
            nodes.add(name + NODE);
            fakeGpu.withObject("/spec/nodes/simulated/labels").setAll(nodeLabels());
        }
        return fakeGpu;
    }

    /** Another FakeGpu with a node of its own. */
    JsonNode another(String name) {
        return fakeGpu(name, any(HARDWARE));
    }

    private Stream<JsonNode> published(List<JsonNode> fakeGpus) {
        var publisher = new Simulation(SimulationOptions.DEFAULT.with(Schedulers.KUBE));
        fakeGpus.forEach(publisher::apply);
        publisher.settle(Duration.ofMinutes(5));
        return publisher.cluster().list(HasMetadata.class).stream()
                .filter(object -> object instanceof Node || object instanceof ResourceSlice)
                .map(this::bare);
    }

    private ObjectNode nodeLabels() {
        return JSON.createObjectNode()
                .put("topology.kubernetes.io/zone", random.nextBoolean() ? "a" : "b")
                .put("tier", random.nextBoolean() ? "gold" : "tin");
    }

    /** The object without its FakeGpu, as if another driver had created it. */
    private JsonNode bare(HasMetadata object) {
        ObjectNode json = JSON.valueToTree(object);
        String name = object.getMetadata().getName();
        ObjectNode metadata = json.putObject("metadata").put("name", name);
        if (object instanceof Node) {
            nodes.add(name);
            metadata.putObject("labels").put("kubernetes.io/hostname", name).setAll(nodeLabels());
            boolean isDiscouraged = random.nextInt(4) == 0;
            json.set("spec", json(isDiscouraged ? "{taints: [{key: old, effect: PreferNoSchedule}]}" : "{}"));
        } else {
            json.remove("status");
        }
        return json;
    }

    /** The class of pods that are scheduled first, but do not preempt. */
    private static JsonNode priorityClass(String name) {
        return json("""
                apiVersion: scheduling.k8s.io/v1
                kind: PriorityClass
                metadata: {name: %s}
                value: 1000
                preemptionPolicy: Never
                """.formatted(name));
    }

    private JsonNode deviceClass() {
        return json("""
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: %1$s}
                spec: {selectors: [{cel: {expression: 'device.driver == "%1$s"'}}]}
                """.formatted(driver));
    }
}
