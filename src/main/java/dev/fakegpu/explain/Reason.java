package dev.fakegpu.explain;

import dev.fakegpu.allocate.Refusal;
import dev.fakegpu.allocate.RequestError;
import java.util.Map;
import java.util.Objects;

/**
 * Why there is no allocation, for conditions and events. In the order of how much they tell: where several apply, the first is
 * given.
 */
public enum Reason {
    /** A claim asks for something that cannot be allocated here. */
    NotSupported,
    /** A request names a device class that does not exist, or none. */
    ClassNotFound,
    /** A claim asks for more devices than a claim can have. */
    TooManyDevices,
    /** A selector does not compile, or fails on a device. */
    SelectorFailed,
    /** What the decision rests on makes no sense. */
    Failed,
    /** Each request could be served, but not all of them. */
    NotTogether,
    /** A device does not go with the claim's other devices by a constraint of the claim, or lacks the attribute. */
    ConstraintNotMet,
    /** A device is kept off by the compatibility groups of others on its counter set (KEP-5963). */
    DevicesIncompatible,
    /** A device needs more of a counter than is left (KEP-4815). */
    CountersExhausted,
    /** More is asked of a device's capacity than is left (KEP-5075). */
    CapacityExhausted,
    /** A device is held by another claim. */
    DevicesInUse,
    /** A device has a taint that the request does not tolerate. */
    DevicesTainted,
    /** A device needs a kubelet that knows more than the node's. */
    NodeLacksFeature,
    /** A device uses something that is switched off. */
    FeatureOff,
    /** A device does not have such a capacity, or does not hand out such portions of it. */
    CapacityNotOffered,
    /** A pool's slices contradict each other. */
    PoolInvalid,
    /** Slices use compatibility groups while the gate is off. */
    GroupsIgnored,
    /** A pool's slices are not all there. */
    PoolIncomplete,
    /** A device cannot be reached from the node. */
    NotReached,
    /** There are devices, but the selectors want none of them. */
    NoMatchingDevice,
    /** There are no devices. */
    NoDevices,
    /** It was not found out in the time there is. */
    Undecided,
    /** Nothing is in the way, at least not any more. */
    Allocatable;

    private static final Map<Class<? extends Refusal>, Reason> OF_REFUSALS = Map.ofEntries(
            Map.entry(Refusal.NotSelected.class, NoMatchingDevice),
            Map.entry(Refusal.SelectorFailed.class, SelectorFailed),
            Map.entry(Refusal.NotReached.class, NotReached),
            Map.entry(Refusal.BindingConditionsOff.class, FeatureOff),
            Map.entry(Refusal.InUse.class, DevicesInUse),
            Map.entry(Refusal.MissingNodeOperations.class, NodeLacksFeature),
            Map.entry(Refusal.CountersNotSupported.class, FeatureOff),
            Map.entry(Refusal.GroupsIncompatible.class, DevicesIncompatible),
            Map.entry(Refusal.CounterShort.class, CountersExhausted),
            Map.entry(Refusal.PoolOverdrawn.class, CountersExhausted),
            Map.entry(Refusal.Tainted.class, DevicesTainted),
            Map.entry(Refusal.ConstraintViolated.class, ConstraintNotMet),
            Map.entry(Refusal.Broken.class, Failed),
            Map.entry(Refusal.CapacityShort.class, CapacityExhausted),
            Map.entry(Refusal.PortionNotOffered.class, CapacityNotOffered));

    private static final Map<Class<? extends RequestError>, Reason> OF_FAULTS = Map.of(
            RequestError.UnknownClass.class, ClassNotFound,
            RequestError.TooManyDevices.class, TooManyDevices,
            RequestError.Unsupported.class, NotSupported,
            RequestError.PoolUnusable.class, PoolIncomplete,
            RequestError.SelectorFailed.class, SelectorFailed,
            RequestError.Other.class, Failed);

    static Reason of(Refusal refusal) {
        return ofRefusal(refusal.getClass());
    }

    static Reason of(RequestError fault) {
        return ofFault(fault.getClass());
    }

    static Reason ofRefusal(Class<? extends Refusal> kind) {
        return Objects.requireNonNull(OF_REFUSALS.get(kind));
    }

    static Reason ofFault(Class<? extends RequestError> kind) {
        return Objects.requireNonNull(OF_FAULTS.get(kind));
    }
}
