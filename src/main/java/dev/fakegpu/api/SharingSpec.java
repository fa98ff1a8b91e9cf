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
                "What limits sharing. Memory: each request consumes memory, all of it unless it specifies an amount."
                        + " Unlimited: any number of requests, which consume no memory unless they specify an amount. Shares: each"
                        + " request consumes one share unless it specifies more.")
        @Required
        Mode mode,

        @JsonPropertyDescription(
                "Number of shares of a GPU, 1 to 1024. Required with mode Shares; only with that mode.")
        @Min(1) @Max(1024) @Nullable Integer shares,

        @JsonPropertyDescription(
                "Amounts of memory that requests can consume. Default: multiples of 1Mi, as in NVIDIA's driver.")
        @Nullable RequestPolicySpec memory) {

    /** What limits sharing. */
    public enum Mode {
        Memory,
        Unlimited,
        Shares
    }
}
