package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A device taint, and which devices have it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TaintSpec(
        @JsonPropertyDescription("Which devices. Default: all.") @Nullable DevicesSelector devices,

        @JsonPropertyDescription("A label name, for example example.com/maintenance.")
        @Required
        @Size(min = 1, max = 317) String key,

        @JsonPropertyDescription("A label value. Default: empty.") @Size(max = 63) @Nullable String value,

        @JsonPropertyDescription(
                "None: information only (Kubernetes 1.36 and newer). NoSchedule: no new claims without a toleration. NoExecute: pods"
                        + " that do not tolerate it are evicted as well, by kube-controller-manager.")
        @Required
        Effect effect,

        @JsonPropertyDescription(
                "When the taint was added, in RFC 3339 such as 2026-01-31T12:00:00Z; a toleration's seconds count from then."
                        + " Default: when the API server first stores it.")
        @Size(max = 35) @Nullable String timeAdded) {

    /** What a taint does. */
    public enum Effect {
        None,
        NoSchedule,
        NoExecute
    }

    /** The devices with their default. */
    public DevicesSelector selected() {
        return Objects.requireNonNullElse(devices, DevicesSelector.ALL);
    }

    /** {@code value} with its default. */
    public String valueOrEmpty() {
        return Objects.requireNonNullElse(value, "");
    }
}
