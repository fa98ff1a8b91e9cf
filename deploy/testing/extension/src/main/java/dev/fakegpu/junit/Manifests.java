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

/** The objects that are created in the cluster of a class at the start. */
public record Manifests(List<GenericKubernetesResource> fakeGpus, List<HasMetadata> all) {

    /** The name of the single FakeGpu that the annotation's attributes describe; its nodes are {@code gpus-node-0} and so on. */
    static final String NAME = "gpus";

    private static final String CLASSPATH = "classpath:";
    private static final String FILE = "file:";

    public static Manifests of(FakeGpuCluster wanted) {
        boolean isDescribed = wanted.manifests().isEmpty();
        if (!isDescribed) {
            refuseWhatDescribesAnother(wanted);
        }
        List<HasMetadata> all = isDescribed ? List.of(fakeGpu(wanted)) : read(wanted.manifests());
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

    /** All objects except FakeGpus. */
    List<HasMetadata> others(String namespace) {
        List<HasMetadata> others =
                all.stream().filter(object -> !fakeGpus.contains(object)).toList();
        others.stream()
                .filter(object ->
                        object instanceof Namespaced && object.getMetadata().getNamespace() == null)
                .forEach(object -> object.getMetadata().setNamespace(namespace));
        return others;
    }

    /** Refuses the attributes of the single FakeGpu, which would have no effect. */
    private static void refuseWhatDescribesAnother(FakeGpuCluster wanted) {
        var none = WithDefaults.class.getAnnotation(FakeGpuCluster.class);
        var without = new LinkedHashMap<String, Boolean>();
        without.put("model", wanted.model().equals(none.model()));
        without.put("nodes", wanted.nodes() == none.nodes());
        without.put("count", wanted.count() == none.count());
        without.put("whole", wanted.whole() == none.whole());
        without.put("mig", wanted.mig().length == 0);
        without.put("vgpu", wanted.vgpu().length == 0);
        without.put("migBackedVgpu", wanted.migBackedVgpu().length == 0);
        without.put("vfio", wanted.vfio() == none.vfio());
        without.values().removeIf(Boolean::booleanValue);
        if (!without.isEmpty()) {
            throw new ClusterException(
                    String.join(", ", without.keySet()) + ": not allowed beside manifests, which has the FakeGpus");
        }
    }

    @FakeGpuCluster
    private static final class WithDefaults {}

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
        List<HasMetadata> objects = flatten(parse(location, text(location))).toList();
        if (objects.isEmpty()) {
            throw new ClusterException("manifests: " + location + " has no objects");
        }
        return objects;
    }

    private static Object parse(String location, String text) {
        try {
            return new KubernetesSerialization()
                    .unmarshal(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        } catch (RuntimeException e) { // the parser throws its own types
            throw new ClusterException("manifests: " + location + " is not YAML of objects: " + e.getMessage(), e);
        }
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
