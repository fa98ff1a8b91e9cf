package dev.fakegpu.cluster.check;

import dev.fakegpu.dra.Limits;
import java.util.List;

/** Rules of the API server about the devices of a ResourceSlice. */
final class DeviceRefusals {

    private static final String DEVICE = "spec\\.devices\\[]";
    private static final String ATTRIBUTE = DEVICE + "\\.attributes\\[]";
    private static final String POLICY = DEVICE + "\\.capacity\\[]\\.requestPolicy";
    private static final String CONSUMPTION = DEVICE + "\\.consumesCounters";
    private static final String CONDITIONS = DEVICE + "\\.binding(Failure)?Conditions";
    private static final String ALLOCATABLE = DEVICE + "\\.nodeAllocatableResources\\[]";

    static final List<RefusalRule> ALL = List.of(
            RefusalRule.ofSlice(
                    "device-node-selection",
                    DEVICE + ": .*`perDeviceNodeSelection`",
                    "With perDeviceNodeSelection set exactly one of nodeName, nodeSelector and allNodes on each device, otherwise none.",
                    Sources.validation("validateDevice")),
            RefusalRule.ofSlice(
                    "invalid-device-name",
                    DEVICE + "\\.name:",
                    "Use lower case letters, digits and -, at most " + Limits.LABEL + " characters, such as gpu-0.",
                    Sources.validation("validateDeviceName (DNS label)")),
            RefusalRule.ofSlice(
                    "too-many-attributes",
                    DEVICE + ": .*number of attributes and capacities",
                    "Leave out attributes that no selector uses.",
                    Sources.types(
                            "ResourceSliceMaxAttributesAndCapacitiesPerDevice = " + Limits.ATTRIBUTES_AND_CAPACITIES)),
            RefusalRule.ofSlice(
                    "too-many-attribute-values",
                    DEVICE + ": .*number of attribute values",
                    "Shorten the lists.",
                    Sources.types("ResourceSliceMaxAttributeValuesPerDevice = " + Limits.ATTRIBUTE_VALUES)),
            RefusalRule.of(
                    Scope.SLICE,
                    "invalid-attribute-name",
                    DEVICE + "\\.attributes:",
                    "The API server refuses the slice. CEL could not select the name with a dot either.",
                    "Use a C identifier of at most " + Limits.IDENTIFIER
                            + " characters, without - and ., optionally after a domain and /.",
                    Sources.validation("validateQualifiedName") + "; DeviceMaxIDLength, DeviceMaxDomainLength"),
            RefusalRule.ofSlice(
                    "attribute-without-one-value",
                    ATTRIBUTE + ":",
                    "Set exactly one of string, int, bool, version and, from Kubernetes 1.36 on, strings, ints, bools and versions.",
                    Sources.validation("validateDeviceAttribute")),
            RefusalRule.ofSlice(
                    "empty-attribute-list",
                    ATTRIBUTE + "\\.\\w+: .*must not be empty",
                    "Leave out the attribute if it has no value.",
                    Sources.validation("validateDeviceAttribute")),
            RefusalRule.ofSlice(
                    "attribute-too-long",
                    ATTRIBUTE + "\\.\\w+(\\[])?: Too long",
                    "Shorten the value to " + Limits.ATTRIBUTE_VALUE_BYTES + " bytes.",
                    Sources.types("DeviceAttributeMaxValueLength = " + Limits.ATTRIBUTE_VALUE_BYTES)),
            RefusalRule.ofSlice(
                    "invalid-version",
                    ATTRIBUTE + "\\.version(s\\[])?:",
                    "Write three numbers without leading zeros, such as 12.4.0, or use a string.",
                    Sources.validation("validateDeviceAttributeVersionValue (semver 2.0.0)")),
            RefusalRule.ofSlice(
                    "invalid-capacity-name",
                    DEVICE + "\\.capacity:",
                    "Use a C identifier of at most " + Limits.IDENTIFIER
                            + " characters, optionally after a domain and /.",
                    Sources.validation("validateQualifiedName")),
            RefusalRule.ofSlice(
                    "policy-without-sharing",
                    POLICY + ": .*allowMultipleAllocations",
                    "Set allowMultipleAllocations on the device, or remove requestPolicy.",
                    Sources.validation("validateSingleAllocatableDeviceCapacity")),
            RefusalRule.ofSlice(
                    "policy-with-values-and-range",
                    POLICY + ":",
                    "Keep one of validValues and validRange.",
                    Sources.validation("validateRequestPolicy")),
            RefusalRule.ofSlice(
                    "policy-without-default",
                    POLICY + "\\.default:",
                    "Set the amount that a claim gets if it asks for none.",
                    Sources.validation("validateValidRequestValues")),
            RefusalRule.of(
                    Scope.SLICE,
                    "policy-default-not-allowed",
                    POLICY + "\\.(validValues: Invalid|validRange\\.default:)",
                    "The API server refuses the slice; claims without a request could never be served.",
                    "Choose a default among validValues, or within validRange and on a step.",
                    Sources.validation("validateRequestPolicyValidValues, validateRequestPolicyRange")),
            RefusalRule.ofSlice(
                    "policy-with-too-many-values",
                    POLICY + "\\.validValues:",
                    "Use validRange with a step.",
                    Sources.types("CapacityRequestPolicyDiscreteMaxOptions = " + Limits.POLICY_VALUES)),
            RefusalRule.ofSlice(
                    "policy-above-capacity",
                    POLICY + "\\.(validValues|validRange\\.(min|max)).*is larger than capacity",
                    "Lower the value, or publish the right capacity.",
                    Sources.validation("validateRequestPolicyValidValues, validateRequestPolicyRange")),
            RefusalRule.ofSlice(
                    "policy-values-unordered",
                    POLICY + "\\.validValues\\[]:",
                    "List each value once, in ascending order.",
                    Sources.validation("validateRequestPolicyValidValues")),
            RefusalRule.ofSlice(
                    "policy-step-invalid",
                    POLICY + "\\.validRange\\.step:",
                    "Use a step above 0 that leads from min to default and max, and from min to at least one more amount.",
                    Sources.validation("validateRequestPolicyRange, validateRequestPolicyRangeStep")),
            RefusalRule.ofSlice(
                    "policy-range-invalid",
                    POLICY + "\\.validRange",
                    "Set min, and a max that is not below it.",
                    Sources.validation("validateRequestPolicyRange")),
            RefusalRule.ofSlice(
                    "too-many-consumptions",
                    CONSUMPTION + ": Too many",
                    "Let a device consume from at most two counter sets.",
                    Sources.types("ResourceSliceMaxDeviceCounterConsumptionsPerDevice = 2")),
            RefusalRule.ofSlice(
                    "counter-set-consumed-twice",
                    CONSUMPTION + "\\[]: Duplicate",
                    "Put all counters of the set into one entry.",
                    Sources.types("Device.consumesCounters, unique by counterSet")),
            RefusalRule.ofSlice(
                    "too-many-groups",
                    CONSUMPTION + "\\[]\\.compatibilityGroups: Too many",
                    "Name at most two compatibility groups.",
                    Sources.types("DeviceCompatibilityGroupsMaxSize = 2") + "; KEP-5963"),
            RefusalRule.ofSlice(
                    "invalid-group",
                    CONSUMPTION + "\\[]\\.compatibilityGroups\\[]:",
                    "Use DNS labels, each once.",
                    Sources.types("DeviceCounterConsumption.compatibilityGroups: unique, k8s-short-name")
                            + "; KEP-5963"),
            RefusalRule.ofSlice(
                    "too-many-taints",
                    DEVICE + "\\.taints: Too many",
                    "Keep at most " + Limits.TAINTS + " taints.",
                    Sources.types("DeviceTaintsMaxLength = " + Limits.TAINTS)),
            RefusalRule.ofSlice(
                    "invalid-taint",
                    DEVICE + "\\.taints\\[]\\.(key|value):",
                    "Use a label's name as key and a label's value, or none, as value.",
                    Sources.validation("validateDeviceTaint")),
            RefusalRule.ofSlice(
                    "unknown-taint-effect",
                    DEVICE + "\\.taints\\[]\\.effect:",
                    "Use an effect that the message lists.",
                    Sources.validation("validateDeviceTaint")),
            RefusalRule.ofSlice(
                    "too-many-binding-conditions",
                    CONDITIONS + ": Too many",
                    "Keep at most four bindingConditions and four bindingFailureConditions.",
                    Sources.types("BindingConditionsMaxSize = 4, BindingFailureConditionsMaxSize = 4")),
            RefusalRule.ofSlice(
                    "unpaired-binding-conditions",
                    CONDITIONS + ":",
                    "Set both bindingConditions and bindingFailureConditions, or neither.",
                    Sources.validation("validateDeviceBindingParameters")),
            RefusalRule.ofSlice(
                    "invalid-binding-condition",
                    CONDITIONS + "\\[]:",
                    "Use label names, each once, and no condition as both success and failure.",
                    Sources.validation("validateDeviceBindingParameters")),
            RefusalRule.ofSlice(
                    "node-allocatable-resource",
                    ALLOCATABLE + ": Invalid",
                    "Use cpu, memory or hugepages-<size>; a node does not account for extended resources here.",
                    Sources.validation("validateNodeAllocatableResources (IsNodeAllocatableResourceName)")
                            + "; KEP-5517"),
            RefusalRule.ofSlice(
                    "node-allocatable-without-amount",
                    ALLOCATABLE + "(\\.mapping|\\.overhead)?:",
                    "Set mapping or overhead, in mapping one of capacityKey and deviceMultiplier, and in overhead perPod or perContainer.",
                    Sources.validation(
                            "validateNodeAllocatableResources, validateNodeAllocatableMapping, validateNodeAllocatableOverheadMapping")),
            RefusalRule.ofSlice(
                    "node-allocatable-unknown-capacity",
                    ALLOCATABLE + "\\.mapping\\.(capacityKey|capacityMultiplier: Required)",
                    "Name a capacity of the same device in capacityKey, spelled as there, and set capacityMultiplier with it.",
                    Sources.validation("validateNodeAllocatableMapping")),
            RefusalRule.ofSlice(
                    "node-allocatable-amount",
                    ALLOCATABLE,
                    "Use multipliers above 0 and an overhead of at least 0.",
                    Sources.validation("validateNodeAllocatableMapping, validateNodeAllocatableOverheadMapping")));

    private DeviceRefusals() {}
}
