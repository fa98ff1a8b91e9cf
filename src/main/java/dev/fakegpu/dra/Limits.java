package dev.fakegpu.dra;

/**
 * The limits of {@code resource.k8s.io/v1} in Kubernetes 1.37. Each is a number of elements unless its comment says otherwise. The comment
 * also names the constant of {@code k8s.io/api/resource/v1/types.go} with the same value, or another source.
 */
public final class Limits {

    /** Characters of a driver's name: {@code DriverNameMaxLength}. */
    public static final int DRIVER_NAME = 63;

    /** Characters of the name of a pool or a node, as of a DNS subdomain: {@code PoolNameMaxLength}. */
    public static final int SUBDOMAIN = 253;

    /** Characters of the name of a device, counter set, counter or group: {@code DNS1123LabelMaxLength} in apimachinery. */
    public static final int LABEL = 63;

    /** Devices of a slice: {@code ResourceSliceMaxDevices}. */
    public static final int DEVICES = 128;

    /**
     * Devices of a slice in which any device has taints, consumes counters or has a list:
     * {@code ResourceSliceMaxDevicesWithAdvancedFeatures}.
     */
    public static final int DEVICES_WITH_ADVANCED_FEATURES = 64;

    /** Counter sets of a slice: {@code ResourceSliceMaxCounterSets}. */
    public static final int COUNTER_SETS = 8;

    /**
     * Counters of a counter set, and of what a device consumes from one: {@code ResourceSliceMaxCountersPerCounterSet}, {@code
     * ResourceSliceMaxCountersPerDeviceCounterConsumption}.
     */
    public static final int COUNTERS = 32;

    /** Counter sets that a device consumes from: {@code ResourceSliceMaxDeviceCounterConsumptionsPerDevice}. */
    public static final int CONSUMPTIONS = 2;

    /** Compatibility groups of a device on a counter set: {@code DeviceCompatibilityGroupsMaxSize}. */
    public static final int GROUPS = 2;

    /** Attributes and capacities of a device together: {@code ResourceSliceMaxAttributesAndCapacitiesPerDevice}. */
    public static final int ATTRIBUTES_AND_CAPACITIES = 32;

    /** Values of all attributes of a device, each element of a list counted: {@code ResourceSliceMaxAttributeValuesPerDevice}. */
    public static final int ATTRIBUTE_VALUES = 48;

    /** Bytes of a string or a version: {@code DeviceAttributeMaxValueLength}. */
    public static final int ATTRIBUTE_VALUE_BYTES = 64;

    /** Characters of the domain in the name of an attribute or capacity: {@code DeviceMaxDomainLength}. */
    public static final int DOMAIN = 63;

    /** Characters of what follows the domain: {@code DeviceMaxIDLength}. */
    public static final int IDENTIFIER = 32;

    /** Valid values of a request policy: {@code CapacityRequestPolicyDiscreteMaxOptions} in {@code pkg/apis/resource/types.go}. */
    public static final int POLICY_VALUES = 10;

    /** Taints of a device: {@code DeviceTaintsMaxLength}. */
    public static final int TAINTS = 16;

    /** Conditions in each list of a device: {@code BindingConditionsMaxSize}, {@code BindingFailureConditionsMaxSize}. */
    public static final int BINDING_CONDITIONS = 4;

    /** Devices allocated to a claim: {@code AllocationResultsMaxSize}. */
    public static final int RESULTS = 32;

    /** Requests of a claim, and requests that a constraint or configuration names: {@code DeviceRequestsMaxSize}. */
    public static final int REQUESTS = 32;

    /** Alternatives of a request: {@code FirstAvailableDeviceRequestMaxSize}. */
    public static final int ALTERNATIVES = 8;

    /** Constraints of a claim: {@code DeviceConstraintsMaxSize}. */
    public static final int CONSTRAINTS = 32;

    /** Consumers of a claim: {@code ResourceClaimReservedForMaxSize}. */
    public static final int RESERVATIONS = 256;

    /** Selectors of a class or a request: {@code DeviceSelectorsMaxSize}. */
    public static final int SELECTORS = 32;

    /** Configurations of a class or a claim: {@code DeviceConfigMaxSize}. */
    public static final int CONFIGURATIONS = 32;

    /** Bytes of a CEL expression: {@code CELSelectorExpressionMaxLength}. */
    public static final int EXPRESSION_BYTES = 10 * 1024;

    /** The number of derived attributes of a request ({@code DeviceDerivedAttributesMaxSize}). */
    public static final int DERIVED_ATTRIBUTES = 32;

    /** Bytes of opaque parameters: {@code OpaqueParametersMaxLength}. */
    public static final int PARAMETER_BYTES = 10 * 1024;

    /** Partition types that a ResourcePoolStatusRequest reports: {@code maxStatusListItems} in {@code pkg/controller/resourcepoolstatusrequest}. */
    public static final int PARTITION_TYPES = 32;

    /** Bytes of the name of a network interface: {@code NetworkDeviceDataInterfaceNameMaxLength} in {@code pkg/apis/resource/types.go}. */
    public static final int INTERFACE_NAME = 256;

    /** Bytes of the hardware address of a network interface: {@code NetworkDeviceDataHardwareAddressMaxLength} in the same file. */
    public static final int HARDWARE_ADDRESS = 128;

    /** Addresses of a network interface: {@code NetworkDeviceDataMaxIPs} in the same file. */
    public static final int IPS = 16;

    /** Mixins that a device, counter set or consumption includes (KEP-5234, not merged). */
    public static final int INCLUDES = 8;

    /** Attributes and capacities of a slice as written, with those of a mixin counted once (KEP-5234, not merged). */
    public static final int ATTRIBUTES_AND_CAPACITIES_WRITTEN = 4096;

    /** Counters of the counter sets of a slice as written, with those of a mixin counted once (KEP-5234, not merged). */
    public static final int COUNTERS_WRITTEN = 256;

    /** Counters that the devices of a slice consume as written, with those of a mixin counted once (KEP-5234, not merged). */
    public static final int CONSUMED_COUNTERS_WRITTEN = 2048;

    private Limits() {}
}
