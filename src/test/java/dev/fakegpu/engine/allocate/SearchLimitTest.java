package dev.fakegpu.engine.allocate;

import static dev.fakegpu.engine.allocate.Hardware.NODE;
import static dev.fakegpu.engine.allocate.Hardware.SELECTORS;
import static dev.fakegpu.engine.allocate.Hardware.claim;
import static dev.fakegpu.engine.allocate.Hardware.counters;
import static dev.fakegpu.engine.allocate.Hardware.device;
import static dev.fakegpu.engine.allocate.Hardware.options;
import static dev.fakegpu.engine.allocate.Hardware.pool;
import static dev.fakegpu.engine.allocate.Hardware.request;
import static dev.fakegpu.engine.allocate.Hardware.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.Device;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SearchLimitTest {

    @Test
    void timeIsCheckedAtOnceAndThenInOneOfSixteenSteps() {
        // Given
        var now = new AtomicLong(100);
        var looks = new AtomicInteger();
        SearchLimit limit = SearchLimit.of(Duration.ofNanos(10), () -> {
            looks.incrementAndGet();
            return now.get();
        });

        // When
        now.set(109);
        String[] before = ask(limit, 17);
        now.set(110);
        String[] notLooked = ask(limit, 15);
        String atLast = limit.reached();

        // Then
        assertThat(before).containsOnlyNulls();
        assertThat(notLooked).containsOnlyNulls();
        assertThat(atLast).isEqualTo("timed out after PT0.00000001S");
        assertThat(looks).hasValue(4);
        assertThat(SearchLimit.of(Duration.ZERO, now::get).reached()).isEqualTo("timed out after PT0S");
    }

    private static String[] ask(SearchLimit limit, int times) {
        return IntStream.range(0, times).mapToObj(i -> limit.reached()).toArray(String[]::new);
    }

    @Test
    void cancellationReachesTheLimit() {
        var cancelled = new AtomicBoolean();
        SearchLimit limit = SearchLimit.cancelledBy(cancelled::get);

        assertThat(limit.reached()).isNull();
        cancelled.set(true);
        assertThat(limit.reached()).isEqualTo("cancelled");
    }

    @Test
    void anAttemptThatIsEndedSaysWhatWasBeingTried() {
        // Given
        Device[] devices = IntStream.range(0, 8).mapToObj(i -> device("d" + i)).toArray(Device[]::new);
        var allocator = new Allocator(AllocationContext.of(
                state(pool(List.of(counters("s", 1)), devices)), SELECTORS, options(GroupsGate.ON, GroupPolicy.LIVE)));
        var steps = new AtomicInteger();

        // When
        Outcome outcome = allocator.allocate(
                NODE,
                List.of(claim("c", request("r0", "true", 2), request("r1", "true", 4))),
                () -> steps.incrementAndGet() == 5 ? "cancelled" : null);

        // Then
        assertThat(outcome)
                .isEqualTo(new Outcome.Aborted("cancelled after 5 steps, at device 4 of claim default/c, request r1"));
    }
}
