package dev.fakegpu.operator.schedule.bind;

import dev.fakegpu.operator.schedule.queue.QueueItem;

/**
 * The attempts to bind a pod that failed because of its devices' binding conditions.
 *
 * @param pod the pod, which is still pending
 * @param last why the last attempt failed
 */
public record BindingFailures(QueueItem pod, int attempts, String last) {

    public static BindingFailures first(QueueItem pod, String why) {
        return new BindingFailures(pod, 1, why);
    }

    /** Returns these failures and one more. */
    public BindingFailures and(String why) {
        return new BindingFailures(pod, attempts + 1, why);
    }
}
