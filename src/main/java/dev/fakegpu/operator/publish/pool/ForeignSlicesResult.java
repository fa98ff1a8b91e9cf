package dev.fakegpu.operator.publish.pool;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Descriptions of the slices of another driver with the same name on nodes of a FakeGpu.
 *
 * @param left the slices that exist, with the time of their removal if it is planned
 * @param removed the slices that were just removed
 * @param next the time until the next removal
 */
public record ForeignSlicesResult(List<String> left, List<String> removed, Optional<Duration> next) {

    static final ForeignSlicesResult NONE = new ForeignSlicesResult(List.of(), List.of(), Optional.empty());

    public ForeignSlicesResult {
        left = List.copyOf(left);
        removed = List.copyOf(removed);
    }
}
