package dev.fakegpu.operator.schedule.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodAttemptsTest {

    private Duration time = Duration.ofSeconds(100);
    private final PodAttempts attempts = new PodAttempts(() -> time.toNanos());

    /** Upstream: {@code DefaultPodInitialBackoffDuration}, {@code DefaultPodMaxBackoffDuration}, {@code calculateBackoffDuration}. */
    @Test
    void theBackOffDoublesFromOneSecondToTen() {
        QueueItem pod = pod("pod", 0);
        attempts.added(pod);
        assertThat(attempts.isBackingOff(pod)).isFalse();

        for (int seconds : List.of(1, 2, 4, 8, 10, 10)) {
            attempts.failed(pod);
            Duration failed = time;

            time = failed.plusSeconds(seconds);
            assertThat(attempts.isBackingOff(pod)).isTrue(); // including the second in which the back-off ends
            time = failed.plusSeconds(seconds + 1);
            assertThat(attempts.isBackingOff(pod)).isFalse();
        }
    }

    /** Upstream: {@code TestBackoffQueueOrdering}, with {@code popFromBackoffQEnabled}. */
    @Test
    void podsWithEqualEndOfBackOffAreSortedByPriority() {
        Duration now = time;
        failedAt(now.minusSeconds(3), pod("pod5", 1));
        failedAt(now.minusSeconds(2), pod("pod4", 2));
        failedAt(now.minusSeconds(2), pod("pod3", 1));
        failedAt(now.minusSeconds(2).plusMillis(1), pod("pod2", 2));
        failedAt(now.minusSeconds(1), pod("pod1", 1));
        failedAt(now, pod("pod0", 1));
        time = now;

        var completed = new ArrayList<String>();
        for (var each = attempts.pollCompleted(); each.isPresent(); each = attempts.pollCompleted()) {
            completed.add(each.get().name());
        }

        assertThat(completed).containsExactly("pod5", "pod4", "pod2", "pod3");
        assertThat(attempts.poll(namespace -> true)).map(QueueItem::name).contains("pod1");
        assertThat(attempts.poll(namespace -> false)).isEmpty();
        assertThat(attempts.poll(namespace -> true)).map(QueueItem::name).contains("pod0");
    }

    private void failedAt(Duration when, QueueItem pod) {
        time = when;
        attempts.added(pod);
        attempts.failed(pod);
        attempts.backOff(pod);
    }

    private static QueueItem pod(String name, int priority) {
        return new QueueItem(QueueItem.Kind.POD, "default", name, name, priority, "2026-01-01T00:00:00Z");
    }
}
