package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.engine.allocate.RequestError;
import dev.fakegpu.engine.allocate.refusal.Refusal;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Why there is no allocation, for conditions and events. The order is from the most to the least informative reason: if several apply, the
 * first one is reported.
 */
public enum Reason {
    /** A claim requests something that cannot be allocated here. */
    NotSupported,
    /** A request names a device class that does not exist, or none. */
    ClassNotFound,
    /** A claim requests more devices than a claim can have. */
    TooManyDevices,
    /** A selector does not compile, or fails on a device. */
    SelectorFailed,
    /** An input of the decision is invalid, such as a node selector of a slice. */
    Failed,
    /** Each request could be satisfied on its own, but not all of them together. */
    NotTogether,
    /** A device, together with the claim's other devices, violates a constraint of the claim, or it lacks the attribute. */
    ConstraintNotMet,
    /** The compatibility groups of a device exclude those of allocated devices on its counter set (KEP-5963). */
    DevicesIncompatible,
    /** A device needs more of a counter than is left (KEP-4815). */
    CountersExhausted,
    /** A request needs more of a device's capacity than is left (KEP-5075). */
    CapacityExhausted,
    /** A device is held by another claim. */
    DevicesInUse,
    /** A device has a taint that the request does not tolerate. */
    DevicesTainted,
    /** A device has a taint that says that its hardware does not work. */
    DevicesUnhealthy,
    /** A device needs a feature that the node's kubelet does not have. */
    NodeLacksFeature,
    /** A device uses a feature that is disabled. */
    FeatureOff,
    /** A device does not have a requested capacity, or its request policy does not allow the amount. */
    CapacityNotOffered,
    /** A pool's slices are inconsistent. */
    PoolInvalid,
    /** Slices use compatibility groups while the gate is off. */
    GroupsIgnored,
    /** Not all slices of a pool are published yet. */
    PoolIncomplete,
    /** A device cannot be accessed from the node. */
    NotReached,
    /** There are devices, but no selector matches any. */
    NoMatchingDevice,
    /** There are no devices. */
    NoDevices,
    /** Too many combinations of devices to try them all. */
    Undecided,
    /** The claims can be allocated, at least now. */
    Allocatable;

    private static final Set<Reason> LACK_OF_DEVICES =
            EnumSet.of(ClassNotFound, NotReached, NoMatchingDevice, NoDevices);

    private static final Set<Reason> ERRORS = EnumSet.of(NotSupported, TooManyDevices, SelectorFailed, Failed);

    private static final Set<Reason> ABOUT_POOLS = EnumSet.of(PoolInvalid, PoolIncomplete);

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

    /** Whether the devices do not exist, so that it may matter that others are not published. */
    public boolean isLackOfDevices() {
        return LACK_OF_DEVICES.contains(this);
    }

    /** Whether it is an error in claims, classes or slices, whatever devices are free. */
    boolean isError() {
        return ERRORS.contains(this);
    }

    /** Whether a code is that of a mistake in the claim or its classes, so that no devices are looked for. */
    public static boolean isFault(String code) {
        return code.equals(ClassNotFound.name())
                || ERRORS.stream().map(Reason::name).anyMatch(code::equals);
    }

    /** Whether it is an error for requests of all devices. */
    boolean isAboutPools() {
        return ABOUT_POOLS.contains(this);
    }

    public static Reason of(Refusal refusal) {
        return refusal instanceof Refusal.Tainted tainted && tainted.taint().meansUnhealthy()
                ? DevicesUnhealthy
                : ofRefusal(refusal.getClass());
    }

    public static Reason of(RequestError fault) {
        return ofFault(fault.getClass());
    }

    static Reason ofRefusal(Class<? extends Refusal> kind) {
        return Objects.requireNonNull(OF_REFUSALS.get(kind));
    }

    static Reason ofFault(Class<? extends RequestError> kind) {
        return Objects.requireNonNull(OF_FAULTS.get(kind));
    }
}
