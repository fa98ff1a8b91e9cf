package dev.fakegpu.operator.publish.pool;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The slices that another driver of the same name has on nodes of a FakeGpu, each in words.
 *
 * @param left those that are there, with the time of their removal if there is one
 * @param removed those that were just removed
 * @param next how long until the next is to be removed
 */
public record ForeignSlicesResult(List<String> left, List<String> removed, Optional<Duration> next) {

    static final ForeignSlicesResult NONE = new ForeignSlicesResult(List.of(), List.of(), Optional.empty());

    public ForeignSlicesResult {
        left = List.copyOf(left);
        removed = List.copyOf(removed);
    }
}
