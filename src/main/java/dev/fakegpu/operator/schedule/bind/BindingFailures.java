package dev.fakegpu.operator.schedule.bind;

import dev.fakegpu.operator.schedule.queue.QueueItem;

/**
 * Attempts to bind a pod that ended because of its devices' binding conditions.
 *
 * @param pod which is still pending
 * @param last why the last one ended
 */
public record BindingFailures(QueueItem pod, int attempts, String last) {

    public static BindingFailures first(QueueItem pod, String why) {
        return new BindingFailures(pod, 1, why);
    }

    /** These and the next one. */
    public BindingFailures and(String why) {
        return new BindingFailures(pod, attempts + 1, why);
    }
}
