package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** In which portions a capacity is given away (KEP-5075). */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record RequestPolicySpec(
        @JsonProperty("default")
        @JsonPropertyDescription(
                "What a request takes that does not say how much. Required with validValues and with validRange.")
        @Nullable Quantity defaultValue,

        @JsonPropertyDescription(
                "The only portions, at most 10 in rising order, the default among them; a request gets the smallest that is enough.")
        @Size(max = 10) List<Quantity> validValues,

        @JsonPropertyDescription("Portions from min up to max. Goes without validValues only.") @Nullable Range validRange) {

    public RequestPolicySpec {
        validValues = validValues == null ? List.of() : List.copyOf(validValues);
    }

    /** Portions of a range. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Range(
            @JsonPropertyDescription("The smallest portion; smaller requests get it.") @Required @Nullable Quantity min,

            @JsonPropertyDescription("The largest portion. Default: all there is.") @Nullable Quantity max,

            @JsonPropertyDescription(
                    "Portions are min and so many steps; requests between two of them get the larger. default and max must be such"
                            + " portions.")
            @Nullable Quantity step) {}
}
