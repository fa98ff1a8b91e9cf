package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A health problem of devices, which is published as NVIDIA's DRA driver does ({@code cmd/gpu-kubelet-plugin/device_health.go}). */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
        value = "has(self.xid) == (self.state in ['XidError', 'XidWarning'])",
        message = "xid must be set for the states XidError and XidWarning, and for them only")
public record HealthSpec(
        @JsonPropertyDescription("The devices that are affected. Default: all.") @Nullable DevicesSelector devices,

        @JsonPropertyDescription(
                "The problem. XidError: taint <driver>/xid=<xid>:NoSchedule. XidWarning: the same taint with effect None,"
                        + " for errors that an application causes. GpuLost: <driver>/gpu-lost:NoSchedule. Unmonitored:"
                        + " <driver>/unmonitored:None.")
        @Required
        State state,

        @JsonPropertyDescription(
                "Number of the XID error, for example 79 (the GPU has fallen off the bus) or 48 (double-bit ECC error).")
        @Min(1) @Max(999) @Nullable Integer xid) {

    /** What happened to a device. */
    public enum State {
        XidError,
        XidWarning,
        GpuLost,
        Unmonitored
    }

    /** {@code devices} with its default. */
    public DevicesSelector selected() {
        return Objects.requireNonNullElse(devices, DevicesSelector.ALL);
    }
}
