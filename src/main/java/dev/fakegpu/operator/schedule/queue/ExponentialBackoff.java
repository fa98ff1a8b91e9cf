package dev.fakegpu.operator.schedule.queue;

import java.time.Duration;

/**
 * Waiting times that double with each consecutive failure.
 *
 * @param initial the wait after the first failure
 * @param max the longest wait
 */
public record ExponentialBackoff(Duration initial, Duration max) {

    private static final int MAX_DOUBLINGS = 20;

    /** @param failures consecutive failures, at least 1 */
    public Duration after(int failures) {
        Duration wait = initial.multipliedBy(1L << Math.min(failures - 1, MAX_DOUBLINGS));
        return wait.compareTo(max) < 0 ? wait : max;
    }
}
