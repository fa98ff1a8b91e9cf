package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was made of the spec. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FakeGpuStatus(
        @JsonPropertyDescription("The metadata.generation that this status is about.") @Nullable Long observedGeneration,

        @JsonPropertyDescription(
                "Accepted: the spec can be published. Published: all pools are stored as wanted. CompatibilityGroupsServed:"
                        + " whether the API server keeps the groups, and who enforces them. FieldsServed: whether it keeps the"
                        + " other fields. ChangesPending: whether devices in use wait for a change. Ready: all can be used.")
        List<Condition> conditions,

        @JsonPropertyDescription("Sums over all nodes.") @Nullable Totals totals,

        @JsonPropertyDescription("Faults of effects Health and Taint, which strike at a moment.")
        List<TimedFault> faults) {

    public FakeGpuStatus {
        conditions = conditions == null ? List.of() : List.copyOf(conditions);
        faults = faults == null ? List.of() : List.copyOf(faults);
    }

    /** A fault that strikes at a moment. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record TimedFault(
            @JsonPropertyDescription("Its name in the spec.")
            String name,

            @JsonPropertyDescription("Tells the fault from one that was edited.")
            String revision,

            @JsonPropertyDescription("Since when it is in the spec as it is.")
            String appliedAt,

            @JsonPropertyDescription("Since when it has changed devices; not set while it has not.") @Nullable String struckAt) {}

    /** Sums over all nodes. */
    public record Totals(
            @JsonPropertyDescription("Nodes with a published pool; 0 for network-attached devices.")
            int nodes,

            @JsonPropertyDescription("Physical GPUs; for custom hardware, counter sets.")
            int gpus,

            @JsonPropertyDescription("Published devices, partitions included.")
            int devices,

            @JsonPropertyDescription("Devices that a ResourceClaim holds.")
            int allocated) {}
}
