package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.cluster.fit.PodRequests;
import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What a pod says in {@code spec.resources}: {@code validatePodResources}. */
final class PodLevelValidation {

    private static final List<String> SUPPORTED = List.of("cpu", "hugepages-", "memory");
    private static final String LIMITS = "limits";
    private static final String REQUESTS = "requests";

    /** Checks resources of any kind. */
    interface Requirements {

        /** @param checkName takes a name, and the path of its amount */
        void check(JsonNode resources, String path, BiConsumer<String, String> checkName);
    }

    private final FieldErrors errors;
    private final JsonNode spec;
    private final boolean isTemplate;
    private final String path;
    private final Map<String, BigDecimal> requests;

    /**
     * Of a pod, or of a template, which has no defaults.
     *
     * @param path of the spec
     */
    PodLevelValidation(FieldErrors errors, JsonNode spec, boolean isTemplate, String path) {
        this.errors = errors;
        this.spec = spec;
        this.isTemplate = isTemplate;
        this.path = path + ".resources";
        requests = ofContainers(REQUESTS);
    }

    private Map<String, BigDecimal> ofContainers(String field) {
        return PodRequests.ofContainers(
                spec.path("containers"),
                spec.path("initContainers"),
                container -> container.path("restartPolicy").asText().equals("Always"),
                container -> amounts(container.path("resources"), field));
    }

    /** By default as much is requested as the limit says. */
    private Map<String, BigDecimal> amounts(JsonNode resources, String field) {
        var amounts = new HashMap<String, BigDecimal>();
        Stream.of(LIMITS, field)
                .filter(each -> each.equals(field) || !isTemplate)
                .flatMap(each -> resources.path(each).properties().stream())
                .forEach(each ->
                        Quantities.of(each.getValue()).ifPresent(amount -> amounts.put(each.getKey(), amount.value())));
        return amounts;
    }

    void check(Requirements requirements) {
        if (spec.path("os").path("name").asText().equals("windows")) {
            errors.forbidden(path, "may not be set for a windows pod");
            return;
        }
        JsonNode written = spec.path("resources");
        if (written.hasNonNull("claims")) {
            errors.forbidden(path + ".claims", "claims may not be set for Resources at pod-level");
        }
        boolean isEmpty =
                written.path(LIMITS).isEmpty() && written.path(REQUESTS).isEmpty();
        JsonNode resources = isTemplate || isEmpty ? written : withDefaults(written);
        requirements.check(resources, path, this::name);
        consistency(resources);
    }

    /** The defaults that may be refused ({@code defaultPodLevelRequests}). */
    private JsonNode withDefaults(JsonNode written) {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        written.properties().forEach(field -> all.set(field.getKey(), field.getValue()));
        ObjectNode ofPod = all.putObject(REQUESTS);
        written.path(LIMITS).properties().stream()
                .filter(limit -> PodRequests.isOfPods(limit.getKey()))
                .forEach(limit -> ofPod.set(limit.getKey(), limit.getValue()));
        requests.forEach((resource, amount) -> {
            if (PodRequests.isOfPods(resource) && !PodRequests.isHugePages(resource)) {
                ofPod.put(resource, inFormat(resource, amount));
            }
        });
        written.path(REQUESTS).properties().forEach(each -> ofPod.set(each.getKey(), each.getValue()));
        return all;
    }

    /** {@code validatePodResourceName}. */
    private void name(String name, String at) {
        if (NodeValidation.resourceName(name, at, errors) && !PodRequests.isOfPods(name)) {
            errors.unsupported(at, name, SUPPORTED);
        }
    }

    /** {@code validatePodResourceConsistency}. */
    private void consistency(JsonNode resources) {
        requests.forEach((resource, amount) -> covers(resource, amount, resources.path(REQUESTS), REQUESTS));
        JsonNode limits = resources.path(LIMITS);
        ofContainers(LIMITS).forEach((resource, amount) -> {
            if (PodRequests.isHugePages(resource)) {
                covers(resource, amount, limits, LIMITS);
            }
        });
        for (int i = 0; i < spec.path("containers").size(); i++) {
            String at = path + ".containers[" + i + "]";
            spec.path("containers")
                    .get(i)
                    .path("resources")
                    .path(LIMITS)
                    .properties()
                    .forEach(each -> {
                        JsonNode ofPod = limits.path(each.getKey());
                        if (Quantities.of(each.getValue())
                                .filter(amount -> isMore(amount.value(), ofPod))
                                .isPresent()) {
                            errors.invalid(
                                    at + "[" + each.getKey() + "].limits",
                                    each.getValue().asText(),
                                    "must be less than or equal to pod limits of " + ofPod.asText());
                        }
                    });
        }
    }

    /** @param ofPod those of the field */
    private void covers(String resource, BigDecimal amount, JsonNode ofPod, String field) {
        if (isMore(amount, ofPod.path(resource))) {
            errors.invalid(
                    path + "." + field + "[" + resource + "]",
                    ofPod.path(resource).asText(),
                    "must be greater than or equal to aggregate container " + field + " of "
                            + inFormat(resource, amount));
        }
    }

    private static boolean isMore(BigDecimal amount, JsonNode most) {
        return Quantities.of(most)
                .filter(quantity -> amount.compareTo(quantity.value()) > 0)
                .isPresent();
    }

    /** That in which the first container writes the resource. */
    private String inFormat(String resource, BigDecimal amount) {
        Optional<Quantity> written = Stream.of("containers", "initContainers")
                .flatMap(field -> StreamSupport.stream(spec.path(field).spliterator(), false))
                .map(container -> container.path("resources"))
                .flatMap(each -> Stream.of(each.path(REQUESTS), each.path(LIMITS)))
                .flatMap(amounts -> Quantities.of(amounts.path(resource)).stream())
                .findFirst();
        return written.orElse(Quantity.ONE).withValue(amount).toString();
    }
}
