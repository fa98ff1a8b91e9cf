package dev.fakegpu.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The observed state of the FakeGpu. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FakeGpuStatus(
        @JsonPropertyDescription("The metadata.generation that this status describes.") @Nullable Long observedGeneration,

        @JsonPropertyDescription(
                "Accepted: the spec is valid and can be published. Published: all pools are stored as intended."
                        + " CompatibilityGroupsServed: whether the API server keeps the groups, and what enforces them."
                        + " FieldsServed: whether it keeps the other fields. ChangesPending: whether a change waits for devices in"
                        + " use. FaultsInjected: which faults are active. KubeletPluginReady: whether a kubelet plugin prepares"
                        + " claims on all nodes with a kubelet. DriverShared: which slices another driver of the same name has on"
                        + " the nodes. Ready: the GPUs can be used.")
        List<Condition> conditions,

        @JsonPropertyDescription("Totals over all nodes.") @Nullable Totals totals,

        @JsonPropertyDescription(
                "Faults with effect Health or Taint, which change devices, and faults of simulated nodes.")
        List<TimedFault> faults) {

    public FakeGpuStatus {
        conditions = Defaults.list(conditions);
        faults = Defaults.list(faults);
    }

    /** A fault that changes devices or simulated nodes at some point in time. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record TimedFault(
            @JsonPropertyDescription("Name of the fault in the spec.")
            String name,

            @JsonPropertyDescription("Identifies this version of the fault; it changes when the fault is edited.")
            String revision,

            @JsonPropertyDescription("When this version of the fault was applied.")
            String appliedAt,

            @JsonPropertyDescription("When the fault changed devices or nodes; not set if it has not yet.") @Nullable String struckAt) {}

    /** Totals over all nodes. */
    public record Totals(
            @JsonPropertyDescription("Nodes with a published pool; 0 for network-attached devices.")
            int nodes,

            @JsonPropertyDescription("Physical GPUs; for custom hardware, counter sets.")
            int gpus,

            @JsonPropertyDescription("Published devices, including partitions.")
            int devices,

            @JsonPropertyDescription(
                    "Devices that are allocated to a ResourceClaim. A device that several claims share is counted once.")
            int allocated) {}
}
