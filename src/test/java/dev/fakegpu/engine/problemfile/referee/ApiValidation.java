package dev.fakegpu.engine.problemfile.referee;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.problemfile.ProblemReader;
import dev.fakegpu.engine.problemfile.UnreadableProblemException;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Decides whether the API server would store the objects of a problem, since answers to other problems are irrelevant. Slices are validated
 * like those in files. The rules for claims are those of {@code pkg/apis/resource/validation} in Kubernetes 1.37 that random problems
 * violate.
 */
final class ApiValidation {

    private static final Set<String> MODES = Set.of("ExactCount", "All");
    private static final Set<String> OPERATORS = Set.of("", "Exists", "Equal");
    private static final Set<String> EFFECTS = Set.of("", "NoSchedule", "NoExecute");
    private static final int MAX_ALTERNATIVES = 8;

    private final Selectors selectors = new Selectors();

    boolean isAccepted(ObjectNode problem) {
        JsonNode claims = problem.path("claims");
        return !claims.isEmpty()
                && all(problem.path("classes")).allMatch(each -> hasValidSelectors(each.path("spec")))
                && all(claims).allMatch(this::isClaim)
                && areSlices(problem);
    }

    private static boolean areSlices(ObjectNode problem) {
        try {
            ProblemReader.read(problem);
        } catch (UnreadableProblemException e) {
            return false;
        }
        return all(problem.path("slices")).allMatch(slice -> {
            ObjectNode object = slice.deepCopy();
            return dev.fakegpu.cluster.validation.ApiValidation.errors(object.put("kind", "ResourceSlice"))
                    .isEmpty();
        });
    }

    private boolean isClaim(JsonNode claim) {
        JsonNode devices = claim.path("spec").path("devices");
        var names = new HashSet<String>();
        for (JsonNode request : devices.path("requests")) {
            String name = request.path("name").asText();
            names.add(name);
            request.path("firstAvailable")
                    .forEach(each -> names.add(name + "/" + each.path("name").asText()));
        }
        return !devices.path("requests").isEmpty()
                && all(devices.path("requests")).allMatch(this::isRequest)
                && all(devices.path("constraints")).allMatch(each -> isConstraint(each) && namesRequests(each, names))
                && all(devices.path("config")).allMatch(each -> namesRequests(each, names));
    }

    private boolean isRequest(JsonNode request) {
        JsonNode alternatives = request.path("firstAvailable");
        return request.has("exactly") == alternatives.isEmpty()
                && alternatives.size() <= MAX_ALTERNATIVES
                && (alternatives.isEmpty()
                        ? isExact(request.path("exactly"))
                        : all(alternatives).allMatch(this::isExact));
    }

    private boolean isExact(JsonNode request) {
        String mode = request.path("allocationMode").asText();
        return !request.path("deviceClassName").asText().isEmpty()
                && MODES.contains(mode)
                && request.has("count") == mode.equals("ExactCount")
                && (!request.has("count") || request.path("count").asInt() > 0)
                && hasValidSelectors(request)
                && all(request.path("tolerations")).allMatch(ApiValidation::isToleration)
                && all(request.path("capacity").path("requests"))
                        .noneMatch(quantity -> quantity.asText().startsWith("-"));
    }

    private boolean hasValidSelectors(JsonNode owner) {
        return all(owner.path("selectors"))
                .map(selector -> selector.path("cel").path("expression"))
                .allMatch(expression -> expression.isTextual()
                        && selectors
                                .compile(expression.asText())
                                .compileProblem()
                                .isEmpty());
    }

    private static boolean isToleration(JsonNode toleration) {
        String operator = toleration.path("operator").asText();
        String effect = toleration.path("effect").asText();
        boolean exists = operator.equals("Exists");
        return OPERATORS.contains(operator)
                && EFFECTS.contains(effect)
                && (exists ? !toleration.has("value") : toleration.has("key"))
                && (!toleration.has("tolerationSeconds") || effect.equals("NoExecute"));
    }

    private static boolean isConstraint(JsonNode constraint) {
        return constraint.has("matchAttribute") != constraint.has("distinctAttribute");
    }

    private static boolean namesRequests(JsonNode owner, Set<String> names) {
        return all(owner.path("requests")).allMatch(name -> names.contains(name.asText()));
    }

    private static Stream<JsonNode> all(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
