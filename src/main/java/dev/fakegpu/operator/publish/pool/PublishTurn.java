package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.util.Moment;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Limits how much of one FakeGpu is published at a time: as much as can be written in a few seconds, several pools in parallel, and as many
 * new pools as memory allows. The rest is left for the next turn, which begins with the latest spec; in the meantime, the status shows the
 * progress.
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

    /** @return the number of tasks that were started; all of them are done */
    <T> int forEach(List<T> all, Consumer<T> task) {
        return pace.writers().forEach(all, this::isOn, task);
    }

    /**
     * Runs tasks that need additional memory.
     *
     * @return the number of tasks that were started; all of them are done
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

    /** A sentence that says why there is no memory for the rest; null if there is. */
    @Nullable String limit() {
        return limit;
    }
}
