package dev.fakegpu.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/** Recognizes objects whose controllers make pods, by the containers in them: most have a pod's template somewhere. */
public final class PodMakers {

    private static final String CONTAINERS = "containers";

    /** Kinds whose controllers write the pod's template themselves. */
    private static final Set<String> WITHOUT_TEMPLATE =
            Set.of("InferenceService", "NIMService", "ComputeDomain", "LLMInferenceService");

    /** Kinds that only store a template. */
    private static final Set<String> STORED_ONLY = Set.of("PodTemplate", "ClusterServingRuntime", "ServingRuntime");

    private PodMakers() {}

    public static boolean include(JsonNode object) {
        String kind = object.path("kind").asText();
        return WITHOUT_TEMPLATE.contains(kind) || (!STORED_ONLY.contains(kind) && hasContainers(object.path("spec")));
    }

    private static boolean hasContainers(JsonNode part) {
        if (part.path(CONTAINERS).isArray()) {
            return true;
        }
        for (JsonNode inside : part) {
            if (hasContainers(inside)) {
                return true;
            }
        }
        return false;
    }
}
