package dev.fakegpu.operator.schedule.queue;

/**
 * Why the members of an equivalence class in a namespace are unschedulable.
 *
 * @param hasRelease whether the text names claims that would have to be released
 */
public record Unschedulable(PendingReason reason, boolean hasRelease) {}
