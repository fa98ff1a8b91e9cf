package dev.fakegpu.engine.allocate;

import dev.fakegpu.engine.allocate.pool.GroupsGate;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Features that can be enabled and disabled, each with the Kubernetes feature gates that it represents. Compatibility groups have a third
 * state and therefore their own type, {@link GroupsGate}. Upstream: {@code structured.Features}.
 */
public enum Feature {
    /** KEP-5018: admin access to devices that are in use. */
    ADMIN_ACCESS("AdminAccess", "DRAAdminAccess"),
    /** KEP-4816: {@code firstAvailable}. */
    PRIORITIZED_LIST("PrioritizedList", "DRAPrioritizedList"),
    /** KEP-4815: shared counters and node selection per device. */
    PARTITIONABLE_DEVICES("PartitionableDevices", "DRAPartitionableDevices"),
    /** KEP-5055. */
    DEVICE_TAINTS("DeviceTaints", "DRADeviceTaints"),
    /** KEP-5007; upstream needs both gates. */
    DEVICE_BINDING_AND_STATUS("DeviceBindingAndStatus", "DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus"),
    /** KEP-5075: capacity requests and devices that allow multiple allocations. */
    CONSUMABLE_CAPACITY("ConsumableCapacity", "DRAConsumableCapacity"),
    /** Capacity ranges in steps of less than one. */
    FRACTIONAL_CAPACITY_RANGE("FractionalCapacityRange", "DRAFractionalCapacityRange"),
    /** KEP-5491: attributes compared as sets. */
    LIST_TYPE_ATTRIBUTES("ListTypeAttributes", "DRAListTypeAttributes"),
    /** KEP-6080: attributes computed for constraints. */
    DERIVED_ATTRIBUTES("DerivedAttributes", "DRADerivedAttributes"),
    /** KEP-5945: devices that do not need to be prepared by the kubelet. */
    OPTIONAL_NODE_OPERATIONS("OptionalNodeOperations", "DRAOptionalNodeOperations");

    /** The feature gate of {@link GroupsGate}. */
    public static final String COMPATIBILITY_GROUPS_GATE = "DRADeviceCompatibilityGroups";

    private final String upstreamName;
    private final List<String> gates;

    Feature(String upstreamName, String... gates) {
        this.upstreamName = upstreamName;
        this.gates = List.of(gates);
    }

    /** The name of the field in upstream's {@code structured.Features}. */
    public String upstreamName() {
        return upstreamName;
    }

    /** The feature gates of Kubernetes, all of which must be enabled. */
    public List<String> gates() {
        return gates;
    }

    public static Set<Feature> all() {
        return EnumSet.allOf(Feature.class);
    }
}
