package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** Checks whether admin access to devices may be requested: {@code AuthorizedForAdmin} of {@code pkg/registry/resource}. */
public final class AdminAccess {

    /** The label that a namespace must have, with the value {@code true}. */
    public static final String LABEL = "resource.kubernetes.io/admin-access";

    /** The name of the label until Kubernetes 1.34. */
    public static final String OLD_LABEL = "resource.k8s.io/admin-access";

    private AdminAccess() {}

    /**
     * The error about a claim or template in a namespace without the label; empty if it does not request admin access. Its path is that of
     * the API server, which omits a part.
     *
     * @param object of any kind
     */
    public static Optional<FieldError> withoutLabel(JsonNode object) {
        JsonNode spec = object.path("spec");
        JsonNode requests = switch (object.path("kind").asText()) {
            case "ResourceClaim" -> spec.path("devices").path("requests");
            case "ResourceClaimTemplate" -> spec.path("spec").path("devices").path("requests");
            default -> spec.path("");
        };
        for (int i = 0; i < requests.size(); i++) {
            if (requests.get(i).path("exactly").path("adminAccess").asBoolean()) {
                return Optional.of(new FieldError(
                        "spec.devices.requests[" + i + "].adminAccess",
                        "Forbidden: admin access to devices requires the `" + LABEL
                                + ": true` label on the containing namespace"));
            }
        }
        return Optional.empty();
    }
}
