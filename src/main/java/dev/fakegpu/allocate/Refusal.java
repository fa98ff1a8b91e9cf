package dev.fakegpu.allocate;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.Quantity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The first thing that keeps a device from a request. Devices that are refused in the same way have equal refusals. */
public sealed interface Refusal {

    /** Those in the way; nobody for most refusals. */
    default Blockers holders() {
        return Blockers.NOBODY;
    }

    /** A selector of the class or of the request does not want the device. */
    record NotSelected(SelectorVerdict.Origin origin, String expression) implements Refusal {}

    /** A selector fails on the device, which ends an attempt that reaches it. */
    record SelectorFailed(String message) implements Refusal {}

    /** The device says itself which nodes reach it, and this one is none of them. */
    record NotReached() implements Refusal {}

    /** The device has binding conditions, and {@link Feature#DEVICE_BINDING_AND_STATUS} is off. */
    record BindingConditionsOff() implements Refusal {}

    /** The device is held whole; for admin access, by the same claim. */
    record InUse(Blockers holders) implements Refusal {}

    /**
     * The device needs none of the kubelet's calls, and the node's kubelet does not know that this is possible.
     *
     * @param operations that are to be left out
     * @param featureOff whether {@link Feature#OPTIONAL_NODE_OPERATIONS} is off, whatever the node knows
     */
    record MissingNodeOperations(List<String> operations, boolean featureOff) implements Refusal {}

    /** The device consumes counters, and {@link Feature#PARTITIONABLE_DEVICES} is off. */
    record CountersNotSupported() implements Refusal {}

    /**
     * The device's groups have nothing in common with those of the devices on a counter set.
     *
     * @param groups what the device declares there; maybe nothing
     * @param state of the counter set
     */
    record GroupsIncompatible(String counterSet, List<String> groups, GroupState state, Blockers holders)
            implements Refusal {}

    /**
     * A counter that the device consumes does not suffice.
     *
     * @param free what is left, less than nothing if overdrawn
     */
    record CounterShort(String counterSet, String counter, Quantity needed, Quantity free, Blockers holders)
            implements Refusal {

        /** By how much. */
        public Quantity missing() {
            return needed.minus(free);
        }
    }

    /** A counter that the device may have nothing to do with is overdrawn, which blocks all of the pool that consume any. */
    record PoolOverdrawn(String counterSet, String counter, Quantity by, Blockers holders) implements Refusal {}

    /** The device has a taint that is not tolerated. */
    record Tainted(DeviceTaint taint) implements Refusal {}

    /**
     * A constraint of the claim refuses the device.
     *
     * @param isMatch whether values must agree; otherwise they must differ
     * @param value the device's, null if it lacks the attribute
     * @param against a device of the claim with which it does not go together; null if only all of them together keep it off
     * @param othersValue what that device has
     */
    record ConstraintViolated(
            String attribute,
            boolean isMatch,
            @Nullable AttributeValue value,
            @Nullable DeviceId against,
            @Nullable AttributeValue othersValue)
            implements Refusal {}

    /** A constraint cannot be judged or an amount not be expressed, which ends an attempt that gets there. */
    record Broken(String message) implements Refusal {}

    /** What is left of a capacity does not suffice. */
    record CapacityShort(String capacity, Quantity needed, Quantity left, Blockers holders) implements Refusal {}

    /**
     * The device does not hand out such portions.
     *
     * @param amount what would be taken; null if the device lacks the capacity
     */
    record PortionNotOffered(String capacity, @Nullable Quantity amount) implements Refusal {}
}
