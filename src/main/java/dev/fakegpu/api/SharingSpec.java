package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.fakegpu.dra.Limits;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How GPUs and their partitions are shared. The choices correspond to the feature gate ConsumableShares of NVIDIA's DRA driver and to the
 * value gpuAllowMultipleAllocations of dra-example-driver.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "has(self.shares) == (self.mode == 'Shares')",
        message = "shares must be set for mode Shares, and for it only")
public record SharingSpec(
        @JsonPropertyDescription(
                "What limits sharing. Memory: each request consumes memory, all of it unless it specifies an amount; with"
                        + " LATEST-GPU-MODEL the same holds for compute. Unlimited: any number of requests, which consume no memory unless"
                        + " they specify an amount. Shares: each request consumes one share unless it specifies more.")
        @Required
        Mode mode,

        @JsonPropertyDescription(
                "Number of shares of a device, 1 to 1024. Required with mode Shares, and only allowed there.")
        @Min(1) @Max(1024) @Nullable Integer shares,

        @JsonPropertyDescription(
                "Amounts of memory of whole GPUs and equal parts that requests can consume. Default: multiples of 1Mi, as in"
                        + " NVIDIA's driver, and of 1Gi with LATEST-GPU-MODEL, as in dra-example-driver. Does not apply to MIG"
                        + " devices, which keep the default.")
        @Nullable RequestPolicySpec memory,

        @JsonPropertyDescription(
                "Amounts of other capacities of whole GPUs and equal parts that requests can consume, by the name of the capacity,"
                        + " for example compute or multiprocessors. Default: multiples of 1 of compute, and no policy for the"
                        + " multiprocessors and engines of a GPU that is published together with MIG devices: a request consumes all"
                        + " of them unless it specifies amounts. Does not apply to MIG devices, which keep the default.")
        @Size(max = Limits.ATTRIBUTES_AND_CAPACITIES) Map<String, RequestPolicySpec> requestPolicies) {

    public SharingSpec {
        requestPolicies = Defaults.map(requestPolicies);
    }

    /** What limits sharing. */
    public enum Mode {
        Memory,
        Unlimited,
        Shares
    }
}
