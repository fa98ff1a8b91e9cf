package dev.fakegpu.events;

/** {@code reason} of the events that this operator records. */
public enum EventReason {
    /** FakeGpu: its pools are stored as wanted. */
    Published,
    /** FakeGpu: the spec cannot be published; what was published stays. */
    NotAccepted,
    /** FakeGpu: storing failed, or an object of somebody else is in the way. */
    PublishFailed,
    /** FakeGpu: the API server dropped the compatibility groups. */
    CompatibilityGroupsDropped,
    /** ConfigMap: a model in it cannot be added to the catalog. */
    InvalidModel,
    /** FakeGpu: the API server dropped other fields of its slices. */
    FieldsDropped,
    /** FakeGpu: slices of somebody else are in its pool. */
    ForeignSlices,
    /** FakeGpu: an older one publishes the same pool. */
    PoolTaken,
    /** FakeGpu: devices in use keep what they had until they are released. */
    ChangesPending,
    /** FakeGpu and ResourceClaim: the FakeGpu was removed while the claim holds devices of it. */
    RemovedWhileInUse,
    /** ResourceClaim: the companion allocated it. */
    Allocated,
    /** ResourceClaim: the companion cannot allocate it; the message says why. */
    NotAllocated,
    /** Pod of kube-scheduler: which devices are in the way, and who holds them. */
    DevicesUnavailable,
    /** Pod and ResourceClaim: the devices that it wants are given away by another scheduler than the one it waits for. */
    WrongAllocator,
    /** ResourceClaim: nobody uses it, and it lacks the label for being allocated without a pod. As for volumes. */
    WaitForFirstConsumer,
    /** Pod: as kube-scheduler names it. */
    Scheduled,
    /** Pod: as kube-scheduler names it. */
    FailedScheduling,
    /** Pod: as kube-scheduler names it. */
    BindingConditionsPending,
    /** Pod: as the kubelet names it. */
    FailedPrepareDynamicResources,
    /** Pod and FakeGpu: a fault of {@code spec.faults} does something that would otherwise go unseen. */
    InjectedFault,
    /** Pod: its claims cannot be unprepared, so it does not go. A kubelet only logs that. */
    FailedUnprepareDynamicResources,
    /** Pod: all its claims are prepared and it seems to run. */
    Started
}
