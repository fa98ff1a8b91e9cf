package dev.fakegpu.operator.schedule.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class ArrivalsTest {

    private final Queue<Runnable> schedulingThread = new ArrayDeque<>();
    private final Arrivals arrivals = new Arrivals(schedulingThread::add);
    private final List<String> queued = new ArrayList<>();

    @Test
    void arrivalsAreKnownUntilTheyAreQueued() {
        arrivals.execute("a", () -> queued.add("a1"));
        assertThat(arrivals.includeOthersThan("a")).isFalse();
        assertThat(arrivals.includeOthersThan("b")).isTrue();

        schedulingThread.remove().run();
        assertThat(arrivals.includeOthersThan("b")).isFalse();
        assertThat(queued).containsExactly("a1");
    }

    @Test
    void arrivalsOfANamespaceAreCounted() {
        arrivals.execute("a", () -> queued.add("a1"));
        arrivals.execute("a", () -> queued.add("a2"));

        schedulingThread.remove().run();
        assertThat(arrivals.includeOthersThan("b")).isTrue();

        schedulingThread.remove().run();
        assertThat(arrivals.includeOthersThan("b")).isFalse();
    }

    /** Otherwise every later attempt of another namespace would be interrupted. */
    @Test
    void arrivalsThatCannotBeQueuedAreForgotten() {
        arrivals.execute("a", () -> {
            throw new IllegalStateException();
        });

        assertThatIllegalStateException()
                .isThrownBy(() -> schedulingThread.remove().run());
        assertThat(arrivals.includeOthersThan("b")).isFalse();
    }
}
