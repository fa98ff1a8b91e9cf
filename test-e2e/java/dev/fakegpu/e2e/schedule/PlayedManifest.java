package dev.fakegpu.e2e.schedule;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.kube.manifest.OlderVersion;
import dev.fakegpu.simulate.Schedulers;
import dev.fakegpu.simulate.Simulation;
import dev.fakegpu.simulate.SimulationOptions;
import dev.fakegpu.testing.ClusterYaml;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** A manifest in a cluster in memory. */
final class PlayedManifest {

    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final String NAMESPACE = "manifests";
    private static final Set<String> OF_THE_CLUSTER = Set.of("DeviceClass", "DeviceTaintRule");

    /** The groups of the Kubernetes API, whose objects are known here, have this suffix or no dot. */
    private static final String GROUP_OF_KUBERNETES = ".k8s.io";

    private final Simulation simulation = new Simulation(SimulationOptions.DEFAULT.with(Schedulers.KUBE));
    private final AllocatorName allocator;

    PlayedManifest(VendorManifest manifest, AllocatorName allocator) {
        this.allocator = allocator;
        apply(object("v1", "Namespace", NAMESPACE, "labels", "resource.kubernetes.io/admin-access", "true"));
        manifest.specs("machine", allocator).forEach((name, spec) -> {
            ObjectNode fakeGpu = object("fakegpu.dev/v1alpha1", "FakeGpu", name);
            apply(fakeGpu.set("spec", spec));
        });
    }

    private static ObjectNode object(String apiVersion, String kind, String name, String... label) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("apiVersion", apiVersion).put("kind", kind);
        ObjectNode metadata = object.withObject("/metadata").put("name", name);
        if (label.length > 0) {
            metadata.withObject("/" + label[0]).put(label[1], label[2]);
        }
        return object;
    }

    private void apply(JsonNode object) {
        simulation.apply(object);
        simulation.settle(LONGEST);
    }

    /** The result of its objects, created one after the other, as text of {@link ManifestResult}. */
    String play(String text) {
        List<JsonNode> objects = ClusterYaml.json(text).stream()
                .filter(Objects::nonNull) // a document with only comments is null
                .toList();
        String unserved = objects.stream()
                .map(object -> object.path("apiVersion").asText())
                .filter(PlayedManifest::isUnserved)
                .distinct()
                .sorted()
                .collect(joining(", "));
        if (!unserved.isEmpty()) {
            return "not served: " + unserved;
        }
        var created = new ArrayList<String>();
        int ofControllers = 0;
        for (JsonNode written : objects) {
            JsonNode object = OlderVersion.convert(written)
                    .<JsonNode>map(OlderVersion.Converted::object)
                    .orElse(written);
            if (Simulation.isKnown(object) && !object.path("kind").asText().equals("Namespace")) {
                HasMetadata stored = create((ObjectNode) object);
                if (stored instanceof Pod) {
                    created.add(stored.getMetadata().getName());
                }
                ofControllers += ManifestResult.podsOfController(stored);
            }
        }
        var cluster = simulation.cluster();
        return new ManifestResult(
                        created,
                        ofControllers,
                        cluster.list(Pod.class),
                        cluster.list(ResourceClaim.class),
                        ManifestResult.typesByDevice(cluster.list(ResourceSlice.class)))
                .inWords();
    }

    private HasMetadata create(ObjectNode object) {
        if (!OF_THE_CLUSTER.contains(object.path("kind").asText())) {
            object.withObject("/metadata").put("namespace", NAMESPACE);
        }
        if (allocator == AllocatorName.Companion) {
            List.of("/spec", "/spec/template/spec").stream()
                    .map(object::at)
                    .filter(spec -> spec.has("containers"))
                    .forEach(spec -> ((ObjectNode) spec).put("schedulerName", Labels.SCHEDULER_NAME));
        }
        HasMetadata created = ClusterYaml.object(object.toString());
        apply(object);
        return created;
    }

    private static boolean isUnserved(String apiVersion) {
        String group = apiVersion.replaceFirst("/.*", "");
        return group.contains(".") && !group.endsWith(GROUP_OF_KUBERNETES)
                || Set.of("resource.k8s.io/v1alpha2", "resource.k8s.io/v1alpha3", "scheduling.k8s.io/v1alpha2")
                        .contains(apiVersion);
    }
}
