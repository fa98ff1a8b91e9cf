package dev.fakegpu.operator.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.operator.schedule.bind.BindingPlan;
import dev.fakegpu.operator.schedule.queue.Arrivals;
import dev.fakegpu.operator.schedule.queue.NamespaceShares;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.queue.SchedulingQueue;
import dev.fakegpu.testing.MutableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests which resources remain reserved by decisions whose writes do not end, or time out. */
class InFlightDecisionsTest {

    private static final int WRITERS = 16;

    @AutoClose
    private final UnstartedCompanion companion =
            new UnstartedCompanion(new BrokenClient(IllegalStateException::new).client());

    private final MutableClock clock = companion.clock();
    private final SchedulingQueue queue =
            new SchedulingQueue(uid -> {}, new NamespaceShares(), new Arrivals(Runnable::run));
    private final List<BindingPlan> submitted = new ArrayList<>();
    private final List<String> reported = new ArrayList<>();
    private final InFlightDecisions inFlight = new InFlightDecisions(
            companion.cache(),
            queue,
            new PendingPodIndex(companion.cache().assumeCache(), queue, companion.scope()),
            companion.log(),
            clock,
            (item, reason) -> reported.add(item.name() + " " + reason.annotation()),
            WRITERS,
            (plan, listener) -> submitted.add(plan));

    @Test
    void aNamespaceWhoseWritesDoNotEndLeavesPlacesForOthers() {
        // When
        for (String namespace : List.of("a", "b", "c", "d", "e")) {
            IntStream.range(0, 100).forEach(i -> queue.activate(item(namespace, "claim-" + i)));
        }
        decideAll();

        // Then
        assertThat(submitted).hasSizeLessThan(InFlightDecisions.MAX_IN_FLIGHT);
        assertThat(ofNamespace("a")).isEqualTo(WRITERS);

        // When
        queue.activate(item("late", "claim"));
        decideAll();

        // Then
        assertThat(ofNamespace("late")).isEqualTo(1);
    }

    @Test
    void aPlaceIsFreeAgainOnceAWriteHasEnded() {
        // Given
        IntStream.range(0, 100).forEach(i -> queue.activate(item("a", "claim-" + i)));
        decideAll();

        // When
        inFlight.written(submitted.get(0));
        inFlight.failed(submitted.get(1));
        decideAll();

        // Then
        assertThat(submitted).hasSize(WRITERS + 2);
    }

    @Test
    void decisionsThatTimeOutAreReportedAndRetriedMinutesLaterRegardlessOfChanges() {
        // Given
        var item = item("a", "deep");
        queue.activate(item);

        // When
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            decideAll();
            inFlight.timedOut(submitted.get(i));
            queue.activate(item);
            assertThat(queue.poll(clock.now(), namespace -> true)).isEmpty();
            waits.add(clock.until(queue.nextDue().orElseThrow()).toSeconds());
            clock.advance(Duration.ofSeconds(waits.get(i)));
        }

        // Then
        assertThat(waits).containsExactly(5L, 10L, 20L, 40L, 80L, 160L, 320L, 600L);
        assertThat(reported)
                .hasSize(8)
                .last()
                .asString()
                .startsWith("deep NotStored: the API server did not store the allocation in time")
                .contains("600 s");
    }

    @Test
    void decisionsThatTimedOutAreRetriedOneAtATime() {
        // Given
        IntStream.range(0, 10).forEach(i -> queue.activate(item("a", "deep-" + i)));
        decideAll();
        List.copyOf(submitted).forEach(inFlight::timedOut);
        submitted.clear();

        // When
        clock.advance(Duration.ofSeconds(5));
        decideAll();

        // Then
        assertThat(submitted).hasSize(1);

        // When
        inFlight.written(submitted.get(0));
        clock.advance(Duration.ofSeconds(10));
        decideAll();

        // Then
        assertThat(submitted).hasSize(2);
    }

    private void decideAll() {
        Consumer<QueueItem> submit = item -> inFlight.submit(new BindingPlan(
                item, null, null, List.of(), clock.now(), companion.cache().options()));
        for (var next = queue.poll(clock.now(), inFlight::hasRoom);
                next.isPresent();
                next = queue.poll(clock.now(), inFlight::hasRoom)) {
            submit.accept(next.get());
        }
    }

    private long ofNamespace(String namespace) {
        return submitted.stream()
                .filter(plan -> plan.item().namespace().equals(namespace))
                .count();
    }

    private static QueueItem item(String namespace, String name) {
        return new QueueItem(QueueItem.Kind.CLAIM, namespace, name, namespace + name, 0, "2026-01-01T00:00:00Z");
    }
}
