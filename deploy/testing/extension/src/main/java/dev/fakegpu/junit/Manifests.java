package dev.fakegpu.junit;

import dev.fakegpu.junit.cluster.ClusterException;
import dev.fakegpu.junit.cluster.FakeGpus;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The objects that a class has in its cluster from the beginning. */
record Manifests(List<GenericKubernetesResource> fakeGpus, List<HasMetadata> all) {

    /** Of the one FakeGpu that the annotation's attributes describe; its nodes are {@code gpus-node-0} and so on. */
    static final String NAME = "gpus";

    private static final String CLASSPATH = "classpath:";
    private static final String FILE = "file:";

    static Manifests of(FakeGpuCluster wanted) {
        List<HasMetadata> all = wanted.manifests().isEmpty() ? List.of(fakeGpu(wanted)) : read(wanted.manifests());
        List<GenericKubernetesResource> fakeGpus = all.stream()
                .filter(GenericKubernetesResource.class::isInstance)
                .map(GenericKubernetesResource.class::cast)
                .filter(FakeGpus::isFakeGpu)
                .toList();
        fakeGpus.stream()
                .filter(fakeGpu -> fakeGpu.getMetadata().getLabels() == null)
                .forEach(fakeGpu -> fakeGpu.getMetadata().setLabels(new HashMap<>()));
        return new Manifests(fakeGpus, all);
    }

    /** All but the FakeGpus. */
    List<HasMetadata> others(String namespace) {
        List<HasMetadata> others =
                all.stream().filter(object -> !fakeGpus.contains(object)).toList();
        others.stream()
                .filter(object ->
                        object instanceof Namespaced && object.getMetadata().getNamespace() == null)
                .forEach(object -> object.getMetadata().setNamespace(namespace));
        return others;
    }

    private static GenericKubernetesResource fakeGpu(FakeGpuCluster wanted) {
        var spec = new LinkedHashMap<String, Object>();
        spec.put("model", wanted.model());
        spec.put("count", wanted.count());
        spec.put("nodes", Map.of("simulated", Map.of("count", wanted.nodes(), "taint", "None")));
        spec.put("allocator", wanted.allocator().specName());
        spec.put("partitions", partitions(wanted));
        var fakeGpu = new GenericKubernetesResource();
        fakeGpu.setApiVersion("fakegpu.dev/v1alpha1");
        fakeGpu.setKind("FakeGpu");
        fakeGpu.setMetadata(new ObjectMetaBuilder().withName(NAME).build());
        fakeGpu.setAdditionalProperties(new HashMap<>(Map.of("spec", spec)));
        return fakeGpu;
    }

    private static Map<String, Object> partitions(FakeGpuCluster wanted) {
        var partitions = new LinkedHashMap<String, Object>();
        partitions.put("whole", wanted.whole());
        put(partitions, "mig", "profiles", wanted.mig());
        put(partitions, "vgpu", "types", wanted.vgpu());
        put(partitions, "migBackedVgpu", "types", wanted.migBackedVgpu());
        if (wanted.vfio()) {
            partitions.put("vfio", true);
        }
        return partitions;
    }

    private static void put(Map<String, Object> partitions, String kind, String list, String[] names) {
        if (names.length > 0) {
            partitions.put(kind, Map.of(list, List.of(names)));
        }
    }

    private static List<HasMetadata> read(String location) {
        Object read = new KubernetesSerialization()
                .unmarshal(new ByteArrayInputStream(text(location).getBytes(StandardCharsets.UTF_8)));
        return flatten(read).toList();
    }

    private static Stream<HasMetadata> flatten(Object read) {
        if (read instanceof KubernetesResourceList<?> list) {
            return list.getItems().stream().flatMap(Manifests::flatten);
        }
        if (read instanceof Iterable<?> some) {
            var all = new ArrayList<HasMetadata>();
            some.forEach(each -> flatten(each).forEach(all::add));
            return all.stream();
        }
        return read instanceof HasMetadata object ? Stream.of(object) : Stream.empty();
    }

    private static String text(String location) {
        try {
            if (location.startsWith(FILE)) {
                return Files.readString(Path.of(location.substring(FILE.length())));
            }
            String name = location.startsWith(CLASSPATH) ? location.substring(CLASSPATH.length()) : location;
            try (InputStream in = Thread.currentThread().getContextClassLoader().getResourceAsStream(name)) {
                if (in != null) {
                    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
                }
            }
        } catch (IOException e) {
            throw new ClusterException("manifests: " + location + " cannot be read", e);
        }
        throw new ClusterException("manifests: there is no resource " + location + " on the class path");
    }
}
