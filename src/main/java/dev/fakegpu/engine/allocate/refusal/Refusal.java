package dev.fakegpu.engine.allocate.refusal;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.DeviceToleration;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.allocate.pool.GroupState;
import dev.fakegpu.engine.allocate.pool.SelectorVerdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The first reason why a device is refused to a request. Devices that are refused for the same reason have equal refusals. */
public sealed interface Refusal {

    /** The claims that block the device; most refusals have none. */
    default Blockers blockers() {
        return Blockers.NOBODY;
    }

    /** A selector of the class or of the request does not match the device. */
    record NotSelected(SelectorVerdict.Origin origin, String expression) implements Refusal {}

    /** A selector fails on the device, which ends a search that reaches the device. */
    record SelectorFailed(SelectorVerdict.Origin origin, String message) implements Refusal {}

    /**
     * The node cannot access the device.
     *
     * @param nodes the nodes that can
     */
    record NotReached(NodeSelection nodes) implements Refusal {}

    /** The device has binding conditions, and the feature {@code DeviceBindingAndStatus} is off. */
    record BindingConditionsOff() implements Refusal {}

    /** The device is allocated as a whole; for admin access, to the same claim. */
    record InUse(Blockers blockers) implements Refusal {}

    /**
     * The device requires that the kubelet skip operations, which this node does not support.
     *
     * @param operations the operations to skip
     * @param featureOff whether the feature {@code OptionalNodeOperations} is off, whatever the node supports
     */
    record MissingNodeOperations(List<String> operations, boolean featureOff) implements Refusal {}

    /** The device consumes counters, and the feature {@code PartitionableDevices} is off. */
    record CountersNotSupported() implements Refusal {}

    /**
     * The device's groups have nothing in common with the groups of the devices on a counter set.
     *
     * @param groups the groups that the device declares there; can be empty
     * @param state the state of the counter set
     */
    record GroupsIncompatible(String counterSet, List<String> groups, GroupState state, Blockers blockers)
            implements Refusal {}

    /**
     * Too little is left of a counter that the device consumes.
     *
     * @param free what is left; negative if overdrawn
     */
    record CounterShort(String counterSet, String counter, Quantity needed, Quantity free, Blockers blockers)
            implements Refusal {}

    /** A counter of the pool is overdrawn, which blocks every device that consumes any counter of the pool. */
    record PoolOverdrawn(String counterSet, String counter, Quantity by, Blockers blockers) implements Refusal {}

    /**
     * The device has a taint that is not tolerated.
     *
     * @param almost a toleration of the request that was probably meant for the taint; null if there is none
     */
    record Tainted(DeviceTaint taint, @Nullable DeviceToleration almost) implements Refusal {}

    /**
     * A constraint of the claim refuses the device.
     *
     * @param isMatch whether values must be equal; otherwise they must differ
     * @param value the value of the device; null if it lacks the attribute
     * @param against a picked device of the claim that conflicts with this one; null if only several together do
     * @param othersValue the value of that device
     * @param instead the attributes of a device that lacks the attribute; null if it has the attribute
     */
    record ConstraintViolated(
            String attribute,
            boolean isMatch,
            @Nullable AttributeValue value,
            @Nullable DeviceId against,
            @Nullable AttributeValue othersValue,
            @Nullable NamesThere instead)
            implements Refusal {}

    /** A constraint cannot be evaluated or an amount cannot be represented, which ends a search that gets there. */
    record Broken(String message) implements Refusal {}

    /**
     * Too little is left of a capacity.
     *
     * @param needed the amount after rounding by the device's request policy
     * @param requested the requested amount; null if the request names none
     * @param total the device's total
     */
    record CapacityShort(
            String capacity,
            Quantity needed,
            @Nullable Quantity requested,
            Quantity left,
            Quantity total,
            Blockers blockers)
            implements Refusal {}

    /**
     * The device's request policy does not allow the amount, or the device lacks the capacity.
     *
     * @param amount the amount that would be consumed; null if the device lacks the capacity
     * @param policy the amounts that the device offers; null if the device lacks the capacity
     * @param instead the capacities of a device that lacks the capacity; null if it has the capacity
     */
    record PortionNotOffered(
            String capacity,
            @Nullable Quantity amount,
            DeviceCapacity.@Nullable RequestPolicy policy,
            @Nullable NamesThere instead)
            implements Refusal {}
}
