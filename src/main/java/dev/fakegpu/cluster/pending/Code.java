package dev.fakegpu.cluster.pending;

/**
 * Codes of answers that are not about devices, beside those of {@link dev.fakegpu.engine.explain.finding.Reason} for devices, and of {@link
 * dev.fakegpu.kube.events.EventReason} for what the explainer also says in events.
 */
enum Code {
    /** A pod that has a node. */
    Bound,
    /** A pod that has a node, where its devices cannot be prepared. */
    NotPrepared,
    /** A pod that has a node which does not exist. */
    NodeGone,
    /** A pod that has a node, so that kube-scheduler does not look for devices for it. */
    HasNode,
    /** A claim that has devices. */
    Allocated,
    /** A pod whose containers have ended. */
    Ended,
    BeingDeleted,
    /** A pod that no scheduler may look at yet. */
    SchedulingGated,
    /** No node fits a pod, whatever devices are free. */
    NoNodeFits,
    /** Pods of a PodGroup are missing, or one of them waits for something else. */
    GangIncomplete,
    /** There is no place for enough pods of a PodGroup at once. */
    GangDoesNotFit,
    /** A pod with fields that restrict its placement and that the companion does not take into account. */
    PlacementNotSupported,
    /** A pod that requests no devices. */
    NoDevicesRequested,
    /** The devices of a pod are allocated, but it has no node yet. */
    NotBoundYet,
    /** The same, and a device could not be made ready for it. */
    BindingFailed,
    /** What is missing cannot be found out with the caller's rights. */
    NotVisible,
    /** An object has fields of other types than this version knows. */
    Unreadable
}
