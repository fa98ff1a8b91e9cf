package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import java.util.List;

/** The table of kinds: why the API server refuses an object whose fields have known names and types. */
public final class ApiValidation {

    private static final List<String> SYSTEM_PRIORITIES = List.of("system-node-critical", "system-cluster-critical");
    private static final List<String> PREEMPTION_POLICIES = List.of("PreemptLowerPriority", "Never");
    private static final long MAX_PRIORITY = 1_000_000_000;

    private ApiValidation() {}

    /** The errors of the newest version. */
    public static List<FieldError> errors(JsonNode written) {
        return errors(written, KubernetesVersion.NEWEST);
    }

    /** As {@link #errors(JsonNode, ApiServer)} if all feature gates are on. */
    public static List<FieldError> errors(JsonNode written, KubernetesVersion version) {
        return errors(written, ApiServer.of(version));
    }

    /**
     * All errors, in the order of the fields; empty if the object is accepted, or is of a kind without rules here.
     *
     * @param written an object of the version that {@code KnownKind} has, as written: defaults need not be set
     * @param server the API server, which has dropped the fields that it does not keep
     */
    public static List<FieldError> errors(JsonNode written, ApiServer server) {
        JsonNode object = DecodedNulls.of(written);
        var errors = new FieldErrors(server);
        JsonNode spec = object.path("spec");
        String kind = object.path("kind").asText();
        JsonNode metadata = object.path("metadata");
        MetadataValidation.check(metadata, kind, errors);
        switch (kind) {
            case "ResourceClaim" -> DeviceClaimValidation.check(spec.path("devices"), "spec.devices", errors);
            case "ResourceClaimTemplate" ->
                DeviceClaimValidation.check(spec.path("spec").path("devices"), "spec.spec.devices", errors);
            case "DeviceClass" -> ClassValidation.check(spec, errors);
            case "ResourceSlice" -> SliceValidation.check(spec, errors);
            case "DeviceTaintRule" -> TaintValidation.rule(spec, errors);
            case "Node" -> NodeValidation.check(object, errors);
            case "PriorityClass" -> priority(object, metadata.path("name").asText(), errors);
            case "ResourceQuota" -> NodeValidation.quota(spec, errors);
            case "Pod" -> PodValidation.check(spec, errors);
            case "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "ReplicationController" ->
                WorkloadValidation.check(kind, spec, errors);
            case "CronJob" -> CronJobValidation.check(object, errors);
            default -> {}
        }
        return errors.all();
    }

    /** {@code ValidatePriorityClass}. */
    private static void priority(JsonNode object, String name, FieldErrors errors) {
        if (name.startsWith("system-")) {
            if (!SYSTEM_PRIORITIES.contains(name)) {
                errors.forbidden(
                        "metadata.name",
                        "priority class names with 'system-' prefix are reserved for system use only. error: " + name
                                + " is not a known system priority class");
            }
        } else if (object.path("value").asLong() > MAX_PRIORITY) {
            errors.forbidden("value", "maximum allowed value of a user defined priority is " + MAX_PRIORITY);
        }
        String policy = object.path("preemptionPolicy").asText("");
        if (object.hasNonNull("preemptionPolicy") && !PREEMPTION_POLICIES.contains(policy)) {
            errors.unsupported("preemptionPolicy", policy, PREEMPTION_POLICIES);
        }
    }
}
