package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Workloads: {@code ValidateDeploymentSpec}, {@code ValidateReplicaSetSpec}, {@code ValidateStatefulSetSpec} and {@code
 * ValidateDaemonSetSpec} of {@code pkg/apis/apps/validation}, {@code validateJobSpec} of {@code pkg/apis/batch/validation}.
 */
final class WorkloadValidation {

    private static final List<String> NUMBERS = List.of(
            "replicas",
            "minReadySeconds",
            "revisionHistoryLimit",
            "progressDeadlineSeconds",
            "parallelism",
            "completions",
            "activeDeadlineSeconds",
            "backoffLimit",
            "ttlSecondsAfterFinished");

    private static final Set<String> WITH_SELECTOR = Set.of("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet");
    private static final String NO_MATCH = "`selector` does not match template `labels`";
    private static final String PERCENT =
            "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

    private final String kind;
    private final JsonNode spec;
    private final String path;
    private final FieldErrors errors;

    private WorkloadValidation(String kind, JsonNode spec, String path, FieldErrors errors) {
        this.kind = kind;
        this.spec = spec;
        this.path = path;
        this.errors = errors;
    }

    static void check(String kind, JsonNode spec, FieldErrors errors) {
        new WorkloadValidation(kind, spec, "spec", errors).check();
    }

    /** Validates the Job that a controller creates from an object with its template. */
    static void job(JsonNode spec, String path, FieldErrors errors) {
        new WorkloadValidation("Job", spec, path, errors).check();
    }

    private void check() {
        NUMBERS.forEach(field -> number(spec.path(field), path + "." + field));
        boolean isTemplateValidated = !WITH_SELECTOR.contains(kind) || selector();
        if (isTemplateValidated) {
            template(spec.path("template"));
        }
        if (isTemplateValidated || kind.equals("StatefulSet")) {
            restartPolicy();
        }
        switch (kind) {
            case "Deployment" -> strategy();
            case "StatefulSet" -> management();
            default -> {}
        }
    }

    private void template(JsonNode template) {
        MetadataValidation.labelsAndAnnotations(template.path("metadata"), path + ".template", errors);
        PodValidation.template(template.path("spec"), path + ".template.spec", errors);
    }

    private void number(JsonNode value, String field) {
        if (value.asLong() < 0) {
            errors.invalid(field, value.asLong(), "must be greater than or equal to 0");
        }
    }

    /** @return whether the template is also validated */
    private boolean selector() {
        JsonNode selector = spec.path("selector");
        JsonNode labels = spec.path("template").path("metadata").path("labels");
        boolean isDaemonSet = kind.equals("DaemonSet");
        if (selector.isMissingNode() && !isDaemonSet) {
            errors.required("spec.selector", "");
        }
        var ofSelector = errors.ofPart();
        LabelSelectorValidation.check(selector, "spec.selector", ofSelector);
        errors.addAll(ofSelector);
        boolean isValid = ofSelector.all().isEmpty();
        if (selector.isObject() && LabelSelectorValidation.isEmpty(selector)) {
            String named = kind.equals("ReplicaSet") ? "deployment" : kind.toLowerCase(Locale.ROOT);
            errors.invalid("spec.selector", selector, "empty selector is invalid for " + named);
        } else if (isValid && (selector.isMissingNode() || !LabelSelectorValidation.matches(selector, labels))) {
            JsonNode shown = labels.isMissingNode() ? NullNode.getInstance() : labels;
            errors.invalid("spec.template.metadata.labels", shown, NO_MATCH);
        }
        if (!isValid && !isDaemonSet) {
            errors.invalid("spec.selector", selector, kind.equals("StatefulSet") ? "" : "invalid label selector");
        }
        return isValid || isDaemonSet;
    }

    private void restartPolicy() {
        String written =
                spec.path("template").path("spec").path("restartPolicy").asText("");
        String policy = written.isEmpty() ? "Always" : written;
        String field = path + ".template.spec.restartPolicy";
        if (!kind.equals("Job")) {
            if (!policy.equals("Always")) {
                errors.unsupported(field, policy, List.of("Always"));
            }
        } else if (policy.equals("Always")) {
            errors.required(field, "valid values: \"OnFailure\", \"Never\"");
        } else if (!policy.equals("OnFailure") && !policy.equals("Never")) {
            errors.unsupported(field, policy, List.of("OnFailure", "Never"));
        }
    }

    /** {@code ValidateDeploymentStrategy}. */
    private void strategy() {
        JsonNode strategy = spec.path("strategy");
        String type = strategy.path("type").asText("");
        JsonNode rolling = strategy.path("rollingUpdate");
        switch (type) {
            case "Recreate" -> {
                if (!rolling.isMissingNode()) {
                    errors.forbidden(
                            "spec.strategy.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'");
                }
            }
            case "", "RollingUpdate" -> rollingUpdate(rolling, "spec.strategy.rollingUpdate");
            default -> errors.unsupported("spec.strategy", type, List.of("Recreate", "RollingUpdate"));
        }
    }

    private void rollingUpdate(JsonNode rolling, String path) {
        amount(rolling.path("maxUnavailable"), path + ".maxUnavailable");
        amount(rolling.path("maxSurge"), path + ".maxSurge");
        if (isZero(rolling.path("maxUnavailable")) && isZero(rolling.path("maxSurge"))) {
            errors.invalid(
                    path + ".maxUnavailable", rolling.path("maxUnavailable"), "may not be 0 when `maxSurge` is 0");
        }
        String unavailable = rolling.path("maxUnavailable").asText("");
        if (unavailable.matches("0*[1-9][0-9]{2,}%") && !unavailable.matches("0*100%")) {
            errors.invalid(path + ".maxUnavailable", unavailable, "must not be greater than 100%");
        }
    }

    /** {@code ValidatePositiveIntOrPercent}. */
    private void amount(JsonNode value, String path) {
        if (value.isTextual() && !value.asText().matches("[0-9]+%")) {
            errors.invalid(path, value, PERCENT);
        } else if (value.isNumber() && value.asLong() < 0) {
            errors.invalid(path, value.asLong(), "must be greater than or equal to 0");
        }
    }

    private static boolean isZero(JsonNode value) {
        return value.isNumber() && value.asLong() == 0 || value.asText("").matches("0+%");
    }

    private void management() {
        String policy = spec.path("podManagementPolicy").asText("");
        if (!policy.isEmpty() && !policy.equals("OrderedReady") && !policy.equals("Parallel")) {
            errors.invalid("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'");
        }
        JsonNode strategy = spec.path("updateStrategy");
        String type = strategy.path("type").asText("");
        number(strategy.path("rollingUpdate").path("partition"), "spec.updateStrategy.rollingUpdate.partition");
        if (type.equals("OnDelete") && strategy.has("rollingUpdate")) {
            errors.invalid(
                    "spec.updateStrategy.rollingUpdate",
                    strategy.path("rollingUpdate"),
                    "only allowed for updateStrategy 'RollingUpdate'");
        } else if (!type.isEmpty() && !type.equals("OnDelete") && !type.equals("RollingUpdate")) {
            errors.invalid("spec.updateStrategy", strategy, "must be 'RollingUpdate' or 'OnDelete'");
        }
    }
}
