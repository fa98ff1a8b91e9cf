package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** The table of kinds: why the API server refuses an object whose fields have names and shapes that it knows. */
public final class ApiValidation {

    private ApiValidation() {}

    /**
     * All errors, in the order of the fields; empty if the object is accepted, or is of a kind without rules here.
     *
     * @param object of the version that {@code KnownKind} has, as it is written: defaults need not be set
     */
    public static List<FieldError> errors(JsonNode object) {
        var errors = new FieldErrors();
        JsonNode spec = object.path("spec");
        String kind = object.path("kind").asText();
        name(object.path("metadata").path("name").asText(), kind, errors);
        switch (kind) {
            case "ResourceClaim" -> DeviceClaimValidation.check(spec.path("devices"), "spec.devices", errors);
            case "ResourceClaimTemplate" ->
                DeviceClaimValidation.check(spec.path("spec").path("devices"), "spec.spec.devices", errors);
            case "DeviceClass" -> ClassValidation.check(spec, errors);
            case "ResourceSlice" -> SliceValidation.check(spec, errors);
            case "DeviceTaintRule" -> TaintValidation.rule(spec, errors);
            case "Pod" -> PodValidation.check(spec, "spec", errors);
            default -> {
                JsonNode ofPods = spec.path("template").path("spec");
                if (!ofPods.isMissingNode()) {
                    PodValidation.check(ofPods, "spec.template.spec", errors);
                }
            }
        }
        return errors.all();
    }

    /** A missing name is what reads the object to say. */
    private static void name(String name, String kind, FieldErrors errors) {
        if (!name.isEmpty()) {
            errors.invalid(
                    "metadata.name",
                    name,
                    kind.equals("Namespace") ? NameFormat.label(name) : NameFormat.subdomain(name));
        }
    }
}
