package dev.fakegpu.cluster.validation;

import org.jspecify.annotations.Nullable;

/**
 * The table of rules that not all API servers of Kubernetes 1.34 to 1.37 have, with the functions of {@code
 * pkg/apis/resource/validation} and {@code pkg/apis/core/validation}. Fields that only newer versions have are refused as unknown, or
 * dropped from ResourceSlices, so rules for their values are not in this table. Some rules have a feature gate.
 */
enum VersionedRule {
    /** {@code validateResourceSliceSpec}: a slice has either counter sets or devices; before, both. */
    COUNTERS_APART_FROM_DEVICES(35),

    /**
     * {@code validateResourceSliceSpec}, {@code validateDevice}: the numbers of counter sets, of counters in each, and of consumptions are
     * limited; before, the numbers of counters in a slice and a device.
     */
    LIMITS_OF_COUNTER_SETS(35),

    /** {@code validateResourceSliceSpec}: fewer devices in slices with taints or counters. */
    FEWER_DEVICES_WITH_TAINTS(35),

    /** {@code DeviceTaintsMaxLength}: a device has up to 16 taints; before, 4. */
    MORE_TAINTS(35),

    /** {@code validDeviceTaintEffects}: the effect of a taint or toleration may be {@code None}. */
    EFFECT_NONE(35),

    /** {@code validateDeviceRequest}: if there are alternatives and an exact request, only that is reported; before, also mistakes in them. */
    ONE_KIND_OF_REQUEST(35),

    /** {@code validateDeviceAttribute}: an attribute without a value is invalid; before, its value is required. */
    NO_VALUE_IS_INVALID(35),

    /** {@code validateSlice}, {@code validateMap}: the items of a list or map that is too long are not validated. */
    LENGTH_BEFORE_ITEMS(35),

    /** {@code validateSet}: the path of a duplicate is that of the item; before, that of its key. */
    DUPLICATES_AT_ITEMS(35),

    /** {@code newCompiler} of {@code dynamic-resource-allocation/cel}: in selectors, attributes can be lists, and there is {@code includes}. */
    LISTS_IN_SELECTORS(36, "DRAListTypeAttributes"),

    /** {@code newCompiler} of {@code dynamic-resource-allocation/cel}: in selectors, devices have {@code allowMultipleAllocations}. */
    MULTIPLE_ALLOCATIONS_IN_SELECTORS(34, "DRAConsumableCapacity"),

    /** {@code validateDeviceConstraint}: a constraint has one of two fields; without the second one, the first one is required. */
    TWO_KINDS_OF_CONSTRAINT(34, "DRAConsumableCapacity"),

    /** {@code validateMap}: the path of a wrong key is that of the map; before, that of the value. */
    KEYS_AT_MAPS(36),

    /** {@code validateInitContainers}: containers that end are not restarted to be resized. */
    RESIZE_OF_INIT_CONTAINERS(36),

    /**
     * Rules that are declared on types ({@code zz_generated.validations.go}) count: a list without items is not a value of a union, and a
     * duplicate is shown as a whole.
     */
    DECLARED_RULES(37),

    /** {@code validateRequestPolicyRange}: the path of a default outside of the range is its own; before, that of the limit. */
    DEFAULT_AT_ITSELF(37),

    /** {@code validateRequestPolicyRange}: steps are positive, and with a step no bound is negative. */
    POSITIVE_STEPS(37);

    private final int since;
    private final @Nullable String gate;

    VersionedRule(int since) {
        this(since, null);
    }

    /**
     * Creates a rule.
     *
     * @param since the first minor version of Kubernetes 1 that has the rule
     * @param gate the feature gate that must be on
     */
    VersionedRule(int since, @Nullable String gate) {
        this.since = since;
        this.gate = gate;
    }

    boolean isIn(ApiServer server) {
        return server.version().minor() >= since && (gate == null || server.isOn(gate));
    }
}
