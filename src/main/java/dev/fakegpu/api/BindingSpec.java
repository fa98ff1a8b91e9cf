package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Binding conditions: what must become true between a device's allocation and the binding of its pod (KEP-5007). */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record BindingSpec(
        @JsonPropertyDescription(
                "1 to 4 condition types, for example example.com/attached. All of them must be true in the claim's device"
                        + " status before the pod is bound. Must be set together with failureConditions.")
        @Size(max = 4) List<String> conditions,

        @JsonPropertyDescription(
                "1 to 4 condition types. If one of them is true in the claim's device status, the allocation is undone and"
                        + " the pod is scheduled again. Must be set together with conditions.")
        @Size(max = 4) List<String> failureConditions,

        @JsonPropertyDescription(
                "Whether an allocation is restricted to the node that was chosen for the pod, even if other nodes reach"
                        + " the device. Default: false.")
        @Nullable Boolean bindsToNode) {

    public BindingSpec {
        conditions = Defaults.list(conditions);
        failureConditions = Defaults.list(failureConditions);
    }
}
