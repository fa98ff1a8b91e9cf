package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.fakegpu.dra.Limits;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The amounts of a capacity that requests can consume (KEP-5075). */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record RequestPolicySpec(
        @JsonProperty("default")
        @JsonPropertyDescription(
                "The amount for requests that do not specify one. Required with validValues and with validRange.")
        @Nullable Quantity defaultValue,

        @JsonPropertyDescription(
                "The only amounts that can be consumed: at most 10, in ascending order, including the default. A request"
                        + " is rounded up to the next of them.")
        @Size(max = Limits.POLICY_VALUES) List<Quantity> validValues,

        @JsonPropertyDescription("The range of amounts that can be consumed. Cannot be combined with validValues.")
        @Nullable Range validRange) {

    public RequestPolicySpec {
        validValues = Defaults.list(validValues);
    }

    /** Amounts from {@code min} to {@code max} in steps. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Range(
            @JsonPropertyDescription("The smallest amount; smaller requests are rounded up to it.") @Required @Nullable Quantity min,

            @JsonPropertyDescription("The largest amount. Default: the whole capacity.") @Nullable Quantity max,

            @JsonPropertyDescription(
                    "Amounts are min plus a multiple of step; requests are rounded up to the next of them. default and max"
                            + " must be such amounts.")
            @Nullable Quantity step) {}
}
