package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A device taint, and the devices to which it is added. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TaintSpec(
        @JsonPropertyDescription("The devices that get the taint. Default: all.") @Nullable DevicesSelector devices,

        @JsonPropertyDescription("Key of the taint: a label name, for example example.com/maintenance.")
        @Required
        @Size(min = 1, max = 317) String key,

        @JsonPropertyDescription("Value of the taint: a label value. Default: empty.") @Size(max = 63) @Nullable String value,

        @JsonPropertyDescription(
                "None: information only (Kubernetes 1.36 and newer). NoSchedule: claims need a toleration to be allocated"
                        + " the device. NoExecute: in addition, kube-controller-manager evicts pods that use the device without a"
                        + " toleration.")
        @Required
        Effect effect,

        @JsonPropertyDescription(
                "When the taint was added, in RFC 3339, for example 2026-01-31T12:00:00Z; tolerationSeconds count from"
                        + " then. Default: when the API server first stores the taint.")
        @Size(max = 35) @Nullable String timeAdded) {

    /** The effect of a taint. */
    public enum Effect {
        None,
        NoSchedule,
        NoExecute
    }

    /** {@code devices} with its default. */
    public DevicesSelector selected() {
        return Objects.requireNonNullElse(devices, DevicesSelector.ALL);
    }
}
