package dev.fakegpu.operator.schedule.queue;

/**
 * Why the members of an equivalence class in a namespace are unschedulable.
 *
 * @param hasRelease whether it would fit if claims released their devices
 */
public record Unschedulable(PendingReason reason, boolean hasRelease) {}
