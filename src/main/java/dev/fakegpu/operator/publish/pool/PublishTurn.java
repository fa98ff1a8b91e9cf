package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.util.Moment;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How much of one FakeGpu is published at a time: as much as fits into a few seconds, several pools at once, and as many new ones as the
 * memory allows. What is left is for the next turn, which begins with the newest spec; meanwhile the status says how far it is.
 */
final class PublishTurn {

    private static final Duration LENGTH = Duration.ofSeconds(5);

    private final PublishPace pace;
    private final Moment end;
    private volatile @Nullable String limit;

    PublishTurn(PublishPace pace) {
        this.pace = pace;
        this.end = pace.ticker().now().plus(LENGTH);
    }

    /** @return how many were begun, and are done */
    <T> int forEach(List<T> all, Consumer<T> task) {
        return pace.writers().forEach(all, this::isOn, task);
    }

    /**
     * For what takes more memory than before.
     *
     * @return how many were begun, and are done
     */
    <T> int forEachNew(List<T> all, Consumer<T> task) {
        return pace.writers().forEach(all, () -> isOn() && hasRoom(), task);
    }

    private boolean isOn() {
        return pace.ticker().now().isBefore(end);
    }

    private boolean hasRoom() {
        limit = pace.memory().reached().orElse(null);
        return limit == null;
    }

    /** Why there is no room for what is left, as a sentence; null if there is. */
    @Nullable String limit() {
        return limit;
    }
}
