package dev.fakegpu.api;

import dev.fakegpu.dra.DeviceTaint;

/** Labels, annotations, taints and names that users and other components see. */
public final class Labels {

    /**
     * On slices and simulated nodes: the name of their FakeGpu, for selectors. {@link FakeGpuOwner} decides which FakeGpu they belong to.
     */
    public static final String FAKEGPU = "fakegpu.dev/fakegpu";

    /** Label and taint of simulated nodes, which have no kubelet. {@link SimulatedNode} decides which nodes are simulated. */
    public static final String SIMULATED = "fakegpu.dev/simulated";

    /** On a ResourceClaim or a Namespace, value {@code true}: the companion allocates the claim without a pod. */
    public static final String ALLOCATE = "fakegpu.dev/allocate";

    /** A device taint with the value {@link #COMPANION}. It keeps kube-scheduler from allocating the device; the companion ignores it. */
    public static final String ALLOCATOR_TAINT = "fakegpu.dev/allocator";

    public static final String COMPANION = "companion";

    /** {@link #ALLOCATOR_TAINT} with its value and effect, as it is published. */
    public static final DeviceTaint COMPANION_TAINT = new DeviceTaint(ALLOCATOR_TAINT, COMPANION, "NoSchedule");

    /** Annotation on a pending ResourceClaim: why it is not allocated, as a reason code and a sentence. */
    public static final String NOT_ALLOCATED = "fakegpu.dev/not-allocated";

    /** Annotation on an Event that says why an object is pending: the code of the cause, for programs. */
    public static final String REASON = "fakegpu.dev/reason";

    /** Annotation on simulated nodes: the names of the labels that come from the FakeGpu, separated by commas. */
    public static final String NODE_LABELS = "fakegpu.dev/node-labels";

    /** Annotation on simulated nodes: the names of the resources whose amounts come from the FakeGpu, separated by commas. */
    public static final String NODE_CAPACITY = "fakegpu.dev/node-capacity";

    /** Annotation on simulated nodes while a fault keeps them cordoned: the name of the fault. */
    public static final String CORDONED_BY = "fakegpu.dev/cordoned-by";

    /** Annotation on simulated nodes with a slow kubelet: how long it waits before it starts a pod. */
    public static final String START_DELAY = "fakegpu.dev/start-delay";

    /** On a ConfigMap in the operator's namespace, value {@code true}: each of its keys adds a model to the catalog. */
    public static final String CATALOG = "fakegpu.dev/catalog";

    /**
     * Annotation on the pods of kubelet plugins: the names of the only drivers that they serve, separated by commas. Without it, they serve
     * all drivers.
     */
    public static final String DRIVERS = "fakegpu.dev/drivers";

    public static final String APP = "app.kubernetes.io/name";

    /**
     * The value of {@link #APP} on the pods of kubelet plugins, the name of their ServiceAccount, and the name of their namespace unless
     * they run in the operator's.
     */
    public static final String KUBELET_PLUGIN = "fakegpu-kubelet-plugin";

    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    public static final String OPERATOR = "fakegpu-operator";

    /** {@code spec.schedulerName} of pods that the companion schedules. */
    public static final String SCHEDULER_NAME = "fakegpu-scheduler";

    private Labels() {}
}
