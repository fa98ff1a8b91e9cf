package dev.fakegpu.api;

/** Labels, annotations, taints and names that users and other components meet. */
public final class Labels {

    /** On slices, simulated nodes: the FakeGpu that they come from. */
    public static final String FAKEGPU = "fakegpu.dev/fakegpu";

    /** On simulated nodes, as label and as taint: no kubelet is behind them. */
    public static final String SIMULATED = "fakegpu.dev/simulated";

    /** On a ResourceClaim or a Namespace, value {@code true}: the companion allocates the claim without a pod. */
    public static final String ALLOCATE = "fakegpu.dev/allocate";

    /** Device taint, value {@link #COMPANION}: kube-scheduler keeps off, the companion looks past it. */
    public static final String ALLOCATOR_TAINT = "fakegpu.dev/allocator";

    public static final String COMPANION = "companion";

    /** Annotation on a waiting ResourceClaim: the reason and the sentence why it is not allocated. */
    public static final String NOT_ALLOCATED = "fakegpu.dev/not-allocated";

    /** On a ConfigMap in the operator's namespace, value {@code true}: each of its keys adds a model to the catalog. */
    public static final String CATALOG = "fakegpu.dev/catalog";

    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    public static final String OPERATOR = "fakegpu-operator";

    /** {@code spec.schedulerName} of pods that the companion schedules. */
    public static final String SCHEDULER_NAME = "fakegpu-scheduler";

    private Labels() {}
}
