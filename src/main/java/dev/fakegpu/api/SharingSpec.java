package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** How whole GPUs are shared, as with the feature gate ConsumableShares of NVIDIA's DRA driver. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
        value = "has(self.shares) == (self.mode == 'Shares')",
        message = "shares must be set for mode Shares, and for it only")
public record SharingSpec(
        @JsonPropertyDescription(
                "Memory: requests take memory, all of it unless they say how much. Unlimited: any number of requests, which take no"
                        + " memory unless they say so. Shares: at most so many requests, each taking one share unless it says more.")
        @Required
        Mode mode,

        @JsonPropertyDescription("How many shares a GPU has, 1 to 1024; with mode Shares.") @Min(1) @Max(1024) @Nullable Integer shares,

        @JsonPropertyDescription(
                "In which portions memory is given away. Default: as NVIDIA's driver does, in steps of 1Mi.")
        @Nullable RequestPolicySpec memory) {

    /** What runs out when a GPU is shared. */
    public enum Mode {
        Memory,
        Unlimited,
        Shares
    }
}
