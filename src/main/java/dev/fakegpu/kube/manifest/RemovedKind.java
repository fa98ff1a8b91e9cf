package dev.fakegpu.kube.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;

/** The kinds that {@code resource.k8s.io} had until Kubernetes 1.30 or 1.31, and their replacements (KEP-3063, KEP-4381). */
final class RemovedKind {

    private static final String GROUP = "resource.k8s.io/";
    private static final Map<String, String> SUCCESSORS = Map.of(
            "ResourceClass",
            "was replaced by DeviceClass of resource.k8s.io/v1, whose spec.selectors choose the driver: device.driver == \"...\"",
            "PodSchedulingContext",
            "was removed without a successor: kube-scheduler allocates by itself",
            "ResourceClaimParameters",
            "was removed: parameters are in spec.devices.config[].opaque.parameters of the ResourceClaim",
            "ResourceClassParameters",
            "was removed: parameters are in spec.config[].opaque.parameters of the DeviceClass");

    private RemovedKind() {}

    /** The replacement of the object's kind, as the rest of a sentence; empty if the kind was not removed. */
    static Optional<String> successor(JsonNode object) {
        return object.path("apiVersion").asText().startsWith(GROUP)
                ? Optional.ofNullable(SUCCESSORS.get(object.path("kind").asText()))
                : Optional.empty();
    }
}
