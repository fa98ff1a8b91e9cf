package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a device asks for between its allocation and the binding of the pod (KEP-5007). */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record BindingSpec(
        @JsonPropertyDescription(
                "1 to 4 conditions, label names such as example.com/attached, that must become true in the claim's device status"
                        + " before a pod is bound. Go with failureConditions only.")
        @Size(max = 4) List<String> conditions,

        @JsonPropertyDescription(
                "1 to 4 conditions that end the wait: the allocation is given up. Go with conditions only.")
        @Size(max = 4) List<String> failureConditions,

        @JsonPropertyDescription(
                "Whether an allocation holds for the chosen node only, although other nodes reach the device. Default: false.")
        @Nullable Boolean bindsToNode) {

    public BindingSpec {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
        failureConditions = failureConditions == null ? List.of() : List.copyOf(failureConditions);
    }
}
