package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.fakegpu.dra.Limits;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Binding conditions, which must become true between the allocation of a device and the binding of its pod (KEP-5007). */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "!has(self.simulate) || (has(self.conditions) && has(self.failureConditions))",
        fieldPath = ".simulate",
        message = "simulate needs conditions and failureConditions, which it sets")
public record BindingSpec(
        @JsonPropertyDescription(
                "1 to 4 condition types, for example example.com/attached. All of them must be true in the claim's device"
                        + " status before the pod is bound. Must be set together with failureConditions.")
        @Size(max = Limits.BINDING_CONDITIONS) List<String> conditions,

        @JsonPropertyDescription(
                "1 to 4 condition types. If one of them is true in the claim's device status, the allocation is undone and"
                        + " the pod is scheduled again. Must be set together with conditions.")
        @Size(max = Limits.BINDING_CONDITIONS) List<String> failureConditions,

        @JsonPropertyDescription(
                "Whether an allocation is restricted to the node that was chosen for the pod, even if other nodes can access the"
                        + " device. Default: false.")
        @Nullable Boolean bindsToNode,

        @JsonPropertyDescription(
                "Makes the operator set the conditions in the claim's device status, as a driver would. Only with conditions."
                        + " Default: they are not set.")
        @Nullable Simulation simulate) {

    public BindingSpec {
        conditions = Defaults.list(conditions);
        failureConditions = Defaults.list(failureConditions);
    }

    /** When the operator sets conditions, and which ones. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Simulation(
            @JsonPropertyDescription(
                    "Time between the allocation of the claim and the outcome: a number of at most five digits and a unit,"
                            + " s, m or h. Default: 0s.")
            @Pattern(FaultSpec.AFTER) @Nullable String after,

            @JsonPropertyDescription(
                    "Ready (default): all of the conditions become true, and the pod is bound. Failed: the first of the"
                            + " failureConditions becomes true, the allocation is undone, and the pod is scheduled again.")
            Outcome outcome) {

        public Simulation {
            outcome = Objects.requireNonNullElse(outcome, Outcome.Ready);
        }
    }

    /** How a simulated binding ends. */
    public enum Outcome {
        Ready,
        Failed
    }
}
