package dev.fakegpu.cluster.pending;

/**
 * Codes of answers that are not about devices. For devices, the codes are those of {@link dev.fakegpu.engine.explain.finding.Reason}; for
 * what the explainer also reports in events, those of {@link dev.fakegpu.kube.events.EventReason}.
 */
enum Code {
    /** A pod has a node. */
    Bound,
    /** A pod has a node, but its devices cannot be prepared there. */
    NotPrepared,
    /** A pod has a node that does not exist. */
    NodeGone,
    /** A pod has a node, so kube-scheduler does not allocate devices for it. */
    HasNode,
    /** The node of a pod did not admit it, so it has ended. */
    Rejected,
    /** A claim has devices. */
    Allocated,
    /** The containers of a pod have ended. */
    Ended,
    BeingDeleted,
    /** A pod has scheduling gates. */
    SchedulingGated,
    /** No node fits a pod, regardless of free devices. */
    NoNodeFits,
    /** Pods of a PodGroup are missing, or one of them is waiting for something else. */
    GangIncomplete,
    /** There is no room for enough pods of a PodGroup at once. */
    GangDoesNotFit,
    /** A pod has fields that restrict its placement and that the companion does not support. */
    PlacementNotSupported,
    /** A pod requests no devices. */
    NoDevicesRequested,
    /** The devices of a pod are allocated, but it is not bound yet. */
    NotBoundYet,
    /** The devices of a pod are allocated, but one of them could not be made ready. */
    BindingFailed,
    /** The caller's permissions are not enough to find out what is missing. */
    NotVisible,
    /** An object has fields whose types this version does not know. */
    Unreadable
}
