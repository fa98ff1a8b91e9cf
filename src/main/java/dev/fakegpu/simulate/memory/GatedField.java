package dev.fakegpu.simulate.memory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.kube.manifest.KnownKind;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A field that some API servers drop.
 *
 * @param since the first minor version of Kubernetes 1 that has the field
 * @param path the names of the path, with {@code []} after those of lists and maps, such as {@code spec.devices.requests[].firstAvailable}
 */
record GatedField(KnownKind kind, int since, String path) {

    static List<GatedField> of(KnownKind kind, int since, String... paths) {
        return Arrays.stream(paths)
                .map(path -> new GatedField(kind, since, path))
                .toList();
    }

    /** Fields of the spec of claims and claim templates. */
    static List<GatedField> ofClaims(int since, String... paths) {
        return Arrays.stream(paths)
                .flatMap(path -> Stream.of(
                        new GatedField(KnownKind.ResourceClaim, since, "spec." + path),
                        new GatedField(KnownKind.ResourceClaimTemplate, since, "spec.spec." + path)))
                .toList();
    }

    /** Fields of the devices of slices. */
    static List<GatedField> ofDevices(int since, String... paths) {
        return Arrays.stream(paths)
                .map(path -> new GatedField(KnownKind.ResourceSlice, since, "spec.devices[]." + path))
                .toList();
    }

    /** The fields of slices that need two gates. */
    static List<GatedField> ofBinding() {
        return ofDevices(34, "bindsToNode", "bindingConditions", "bindingFailureConditions");
    }

    /** Fields of the spec of pods, and of workloads that the API server itself defines. */
    static List<GatedField> ofPods(int since, String... paths) {
        return Arrays.stream(paths)
                .flatMap(path -> Stream.concat(
                        Stream.of(
                                new GatedField(KnownKind.Pod, since, "spec." + path),
                                new GatedField(
                                        KnownKind.CronJob, since, "spec.jobTemplate.spec.template.spec." + path)),
                        Stream.of(
                                        KnownKind.Deployment,
                                        KnownKind.ReplicaSet,
                                        KnownKind.ReplicationController,
                                        KnownKind.StatefulSet,
                                        KnownKind.DaemonSet,
                                        KnownKind.Job)
                                .map(kind -> new GatedField(kind, since, "spec.template.spec." + path))))
                .toList();
    }

    boolean isOf(JsonNode object) {
        return object.path("kind").asText().equals(kind.name());
    }

    boolean isIn(JsonNode object) {
        return parents(object, path).findAny().isPresent();
    }

    /** @return whether the field was there */
    boolean removeFrom(JsonNode object) {
        List<ObjectNode> parents = parents(object, path).toList();
        parents.forEach(parent -> parent.remove(path.substring(path.lastIndexOf('.') + 1)));
        return !parents.isEmpty();
    }

    /** The objects that have the field. */
    private static Stream<ObjectNode> parents(JsonNode json, String path) {
        String[] parts = path.split("\\.", 2);
        if (parts.length == 1) {
            return json instanceof ObjectNode object && object.hasNonNull(path) ? Stream.of(object) : Stream.empty();
        }
        if (!parts[0].endsWith("[]")) {
            return parents(json.path(parts[0]), parts[1]);
        }
        JsonNode items = json.path(parts[0].substring(0, parts[0].length() - 2));
        return StreamSupport.stream(items.spliterator(), false).flatMap(item -> parents(item, parts[1]));
    }
}
