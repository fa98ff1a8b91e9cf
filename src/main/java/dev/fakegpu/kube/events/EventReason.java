package dev.fakegpu.kube.events;

/** {@code reason} of the events that this operator records. */
public enum EventReason {
    /** FakeGpu: all its slices are stored. */
    Published,
    /** FakeGpu: how many of its nodes have slices; the others follow. */
    Publishing,
    /** FakeGpu: the operator's memory is too small for the rest of its nodes. */
    MemoryLimit,
    /** FakeGpu: the spec cannot be published; what was published stays. */
    NotAccepted,
    /** FakeGpu: a write failed, or an object with a required name has another owner. */
    PublishFailed,
    /** Any kind: fields have another type than this version of the operator knows, so it does not decide about the object. */
    UnreadableFields,
    /** FakeGpu: the API server dropped the compatibility groups. */
    CompatibilityGroupsDropped,
    /** ConfigMap: a model in it cannot be added to the catalog. */
    InvalidModel,
    /** FakeGpu: the API server dropped other fields of its slices. */
    FieldsDropped,
    /** FakeGpu: its pool contains slices that it does not own, or another driver of the same name has slices on its nodes. */
    ForeignSlices,
    /** FakeGpu: slices that another driver of the same name left on its nodes were removed. */
    ForeignSlicesRemoved,
    /** FakeGpu: an older FakeGpu publishes the same pool. */
    PoolTaken,
    /** FakeGpu: a change to devices in use is deferred until they are released. */
    ChangesPending,
    /** FakeGpu and ResourceClaim: the FakeGpu was deleted although the claim holds its devices. */
    RemovedWhileInUse,
    /** ResourceClaim: the companion allocated it. */
    Allocated,
    /** ResourceClaim: the companion cannot allocate it; the message says why. */
    NotAllocated,
    /** Pod that kube-scheduler cannot schedule: which devices are in use, and by which claims. */
    DevicesUnavailable,
    /** Pod that kube-scheduler refused although its devices are free: kube-scheduler may ignore slices with compatibility groups. */
    GroupsIgnored,
    /** Pod that kube-scheduler refused before its devices became free, and has not tried again. */
    NotRetried,
    /** Pod of a scheduler other than the companion: a claim is missing, being deleted, or allocated where the pod cannot run. */
    ClaimsUnavailable,
    /** Pod that requests devices of FakeGpus: no scheduler has handled it, and {@code spec.schedulerName} is not a known scheduler. */
    NoScheduler,
    /** Pod and ResourceClaim: the requested devices are allocated by a different scheduler than the pod's. */
    WrongAllocator,
    /**
     * ResourceClaim: no pod uses it, and it lacks the label for allocation without a pod. The reason is named after the one for volumes.
     */
    WaitForFirstConsumer,
    /** Pod: kube-scheduler's reason. */
    Scheduled,
    /** Pod: kube-scheduler's reason. */
    FailedScheduling,
    /** Pod: kube-scheduler's reason. The pod is evicted for one of higher priority. */
    Preempted,
    /** Pod: pods of lower priority are evicted for it. */
    Preempting,
    /** Pod: kube-scheduler's reason. */
    BindingConditionsPending,
    /** Pod: the kubelet's reason. */
    FailedPrepareDynamicResources,
    /** Pod: its node does not admit it. The Event has the kubelet's reason, such as {@code OutOfcpu}, which is the code. */
    Rejected,
    /** Pod and FakeGpu: a fault of {@code spec.faults} has an effect that no other event shows. */
    InjectedFault,
    /** Pod and ResourceClaim: the hardware of a device that they hold has failed. */
    DevicesUnhealthy,
    /** Pod and ResourceClaim: the hardware of a device that they hold is no longer reported as failed. */
    DevicesRecovered,
    /** Pod: its claims cannot be unprepared, so its deletion does not complete. A real kubelet only logs this. */
    FailedUnprepareDynamicResources,
    /** ResourceClaim: the API server refuses to store the status of its devices. */
    FailedStatusUpdate,
    /** ResourceClaim: its devices stayed prepared although the claim was deleted or has other devices, and no kubelet unprepared them. */
    AbandonedDevices,
    /** Pod: all its claims are prepared, and it is reported as Running. */
    Started
}
