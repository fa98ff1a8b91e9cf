package dev.fakegpu.simulate.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.kube.client.ClientSerialization;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;

/** Determines whether a stored pod was created from a template, although the API server has added defaults to it. */
final class TemplateMatch {

    /** Lists to which admission adds items, such as tolerations and the volume for a service account's token. */
    private static final Set<String> GROWING = Set.of("tolerations", "volumes", "volumeMounts", "imagePullSecrets");

    /** Fields without a default. If a pod has them, they are from its template. */
    private static final List<String> WITHOUT_DEFAULT =
            List.of("nodeSelector", "affinity", "resourceClaims", "initContainers", "runtimeClassName", "overhead");

    private static final ObjectMapper JSON = ClientSerialization.mapper();

    private TemplateMatch() {}

    static boolean isFrom(PodTemplateSpec template, Pod pod) {
        JsonNode wanted = JSON.valueToTree(template.getSpec());
        JsonNode stored = JSON.valueToTree(pod.getSpec());
        boolean hasLabels = template.getMetadata() == null
                || template.getMetadata().getLabels() == null
                || (pod.getMetadata().getLabels() != null
                        && pod.getMetadata()
                                .getLabels()
                                .entrySet()
                                .containsAll(template.getMetadata().getLabels().entrySet()));
        return hasLabels
                && WITHOUT_DEFAULT.stream()
                        .allMatch(field -> wanted.path(field).isEmpty()
                                == stored.path(field).isEmpty())
                && matches(wanted, stored, "");
    }

    private static boolean matches(JsonNode wanted, JsonNode stored, String field) {
        if (wanted.isObject()) {
            return wanted.properties().stream()
                    .allMatch(each -> matches(each.getValue(), stored.path(each.getKey()), each.getKey()));
        }
        if (wanted.isArray()) {
            return GROWING.contains(field) ? contains(stored, wanted) : areEqual(wanted, stored);
        }
        return wanted.asText().equals(stored.asText()) || areSameQuantity(wanted.asText(), stored.asText());
    }

    private static boolean contains(JsonNode stored, JsonNode wanted) {
        return StreamSupport.stream(wanted.spliterator(), false)
                .allMatch(each ->
                        StreamSupport.stream(stored.spliterator(), false).anyMatch(item -> matches(each, item, "")));
    }

    private static boolean areEqual(JsonNode wanted, JsonNode stored) {
        boolean areEqual = wanted.size() == stored.size();
        for (int i = 0; areEqual && i < wanted.size(); i++) {
            areEqual = matches(wanted.get(i), stored.get(i), "");
        }
        return areEqual;
    }

    private static boolean areSameQuantity(String wanted, String stored) {
        String number = "[0-9.]+[a-zA-Z]{0,2}";
        return wanted.matches(number) && stored.matches(number) && isSame(wanted, stored);
    }

    private static boolean isSame(String wanted, String stored) {
        try {
            return Quantity.getAmountInBytes(new Quantity(wanted))
                            .compareTo(Quantity.getAmountInBytes(new Quantity(stored)))
                    == 0;
        } catch (IllegalArgumentException e) {
            return false; // the texts are not quantities
        }
    }
}
