package dev.fakegpu.cluster.check;

import dev.fakegpu.dra.Limits;
import java.util.List;

/** Rules of the API server about the fields of a ResourceSlice other than its devices. */
final class SliceRefusals {

    private static final String WHY = "The API server refuses the slice, so the pool never becomes complete.";
    private static final String OF_SLICE_OR_DEVICE = "spec(\\.devices\\[])?\\.";
    private static final String OF_COUNTERS = "spec\\.(sharedCounters|devices\\[]\\.consumesCounters)\\[]\\.";
    private static final String SELECTION = Sources.validation("validateResourceSliceSpec");
    private static final String SELECTIONS = Sources.validation("validateResourceSliceSpec, validateDevice");
    private static final String POOL = Sources.validation("validateResourcePool");

    static final List<RefusalRule> ALL = List.of(
            ofPool(
                    "invalid-driver-name",
                    "spec\\.driver:",
                    "Use a DNS subdomain of at most " + Limits.DRIVER_NAME
                            + " characters that you own, such as gpu.example.com.",
                    Sources.validation("validateDriverName") + ", DriverNameMaxLength"),
            ofPool(
                    "invalid-pool-name",
                    "spec\\.pool\\.name:",
                    "Use DNS subdomains separated by /, at most " + Limits.SUBDOMAIN
                            + " characters together; usually the node's name.",
                    Sources.validation("validatePoolName") + ", PoolNameMaxLength"),
            ofPool(
                    "invalid-slice-count",
                    "spec\\.pool\\.resourceSliceCount:",
                    "Set spec.pool.resourceSliceCount to the number of slices that the pool has.",
                    POOL),
            ofPool("negative-generation", "spec\\.pool\\.generation:", "Start with generation 1 and count up.", POOL),
            ofPool(
                    "too-many-devices",
                    "spec\\.devices: Too many",
                    "Distribute the devices over several slices of the pool.",
                    Sources.types("ResourceSliceMaxDevices = " + Limits.DEVICES
                            + ", ResourceSliceMaxDevicesWithAdvancedFeatures = "
                            + Limits.DEVICES_WITH_ADVANCED_FEATURES)),
            ofPool(
                    "too-many-counter-sets",
                    "spec\\.sharedCounters: Too many",
                    "Distribute the counter sets over several slices of the pool.",
                    Sources.types("ResourceSliceMaxCounterSets = " + Limits.COUNTER_SETS)),
            RefusalRule.of(
                    Scope.SLICE,
                    "devices-and-counter-sets",
                    "spec: .*only one of `sharedCounters`",
                    "The API server refuses the slice; an allocator would ignore its devices.",
                    "Put sharedCounters into a slice of their own in the same pool.",
                    SELECTION),
            ofPool(
                    "invalid-skip-node-operations",
                    "spec\\.skipNodeOperations",
                    "Allowed are *, or NodeUnprepareResources alone or together with NodePrepareResources.",
                    Sources.validation("validateSkipNodeOperations") + "; KEP-5945"),
            ofPool(
                    "partition-type-without-partitions",
                    "spec\\.partitionTypeAttribute: .*may only be set",
                    "Remove partitionTypeAttribute from slices whose devices consume no counters.",
                    Sources.validation("validatePartitionTypeAttribute")),
            ofPool(
                    "partition-type-not-qualified",
                    "spec\\.partitionTypeAttribute:",
                    "Write the attribute with its domain, such as gpu.example.com/profile.",
                    Sources.validation("validateFullyQualifiedName")),
            ofPool(
                    "partition-type-missing",
                    "spec\\.devices\\[]\\.attributes\\[]: .*`partitionTypeAttribute`",
                    "Give every device that consumes counters this attribute, as a string.",
                    Sources.validation("validatePartitionTypeAttribute")),
            RefusalRule.of(
                    Scope.SLICE,
                    "no-node-selection",
                    "spec: Required value",
                    "The API server refuses the slice; no node could use its devices.",
                    "Set nodeName for devices of a node, and nodeSelector or allNodes for devices that several nodes reach.",
                    SELECTION),
            RefusalRule.ofSlice(
                    "several-node-selections",
                    "spec: .*multiple fields",
                    "Keep exactly one of nodeName, nodeSelector, allNodes and perDeviceNodeSelection.",
                    SELECTION),
            RefusalRule.of(
                    Scope.SLICE,
                    "disabled-node-selection",
                    OF_SLICE_OR_DEVICE
                            + "(nodeName|allNodes|perDeviceNodeSelection): .*must (be either unset|not be empty)",
                    "The API server refuses false and empty names in place of an absent field.",
                    "Remove the field.",
                    SELECTIONS),
            RefusalRule.of(
                    Scope.SLICE,
                    "node-selector-terms",
                    "spec\\.nodeSelector\\.nodeSelectorTerms:",
                    "The API server refuses the slice, since selectors of several slices are merged into one.",
                    "Use exactly one term in nodeSelectorTerms.",
                    SELECTION),
            RefusalRule.of(
                    Scope.SLICE,
                    "invalid-node-selector",
                    OF_SLICE_OR_DEVICE + "nodeSelector\\.",
                    "The API server refuses the slice; kube-scheduler would give up on every pod with claims.",
                    "Correct the requirement: a valid label key, an operator, and the values that it takes.",
                    "pkg/apis/core/validation: ValidateNodeSelector; component-helpers/scheduling/corev1/nodeaffinity"),
            RefusalRule.ofSlice(
                    "invalid-node-name",
                    OF_SLICE_OR_DEVICE + "nodeName:",
                    "Write the name of the Node object.",
                    Sources.validation("validateNodeName")),
            RefusalRule.ofSlice(
                    "counter-set-without-counters",
                    "spec\\.sharedCounters\\[]\\.counters: Required",
                    "Declare the counters, or remove the set.",
                    Sources.validation("validateCounterSet")),
            RefusalRule.ofSlice(
                    "consumption-without-counters",
                    "spec\\.devices\\[]\\.consumesCounters\\[]\\.counters: Required",
                    "Say how much of which counter the device takes, or remove the entry.",
                    Sources.validation("validateDeviceCounterConsumption")),
            RefusalRule.ofSlice(
                    "too-many-counters",
                    OF_COUNTERS + "counters: Too many",
                    "Leave out counters that never decide anything.",
                    Sources.types("ResourceSliceMaxCountersPerCounterSet = " + Limits.COUNTERS + ","
                            + " ResourceSliceMaxCountersPerDeviceCounterConsumption = " + Limits.COUNTERS)),
            RefusalRule.ofSlice(
                    "invalid-counter-name",
                    OF_COUNTERS + "(name|counterSet|counters):",
                    "Use lower case letters, digits and -, at most " + Limits.LABEL
                            + " characters, for counter sets and counters.",
                    Sources.validation("validateCounterName (DNS label)")));

    private SliceRefusals() {}

    private static RefusalRule ofPool(String name, String errors, String fix, String source) {
        return RefusalRule.of(Scope.SLICE, name, errors, WHY, fix, source);
    }
}
