package dev.fakegpu.kube.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.util.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EventCorrelatorTest {

    private static final EventCorrelator.Key KEY = new EventCorrelator.Key("uid", EventReason.NotAllocated);

    private final EventCorrelator<String> correlator = new EventCorrelator<>();
    private Moment now = new Moment(Duration.ZERO);

    @Test
    void aBurstIsWrittenAtOnceAndThenTheNewestMessageOnceAMinute() {
        // When
        IntStream.rangeClosed(1, 100).forEach(number -> record("message " + number));

        // Then
        assertThat(written).containsExactly("message 1", "message 2", "message 3", "message 4", "message 5");
        assertThat(correlator.hasDelayed()).isTrue();

        // When
        pass(Duration.ofSeconds(59));

        // Then
        assertThat(written).hasSize(EventCorrelator.BURST);

        // When
        pass(Duration.ofSeconds(1));

        // Then
        assertThat(written).hasSize(6).last().isEqualTo("(combined from similar events): message 100");
        assertThat(correlator.hasDelayed()).isFalse();
    }

    @Test
    void withinAnHourOfConstantChangesThereIsABurstAndOneWriteAMinute() {
        // When
        for (int number = 0; number < 12_000; number++) {
            record("message " + number);
            pass(Duration.ofMillis(300));
        }
        pass(Duration.ofMinutes(1));

        // Then
        assertThat(written)
                .hasSizeBetween(60, EventCorrelator.BURST + 61)
                .last()
                .asString()
                .endsWith("message 11999");
    }

    /** Each message has its own Event, whose count says how often it occurred. */
    @Test
    void messagesThatAlternateAreCounted() {
        // When
        IntStream.range(0, 100).forEach(number -> {
            record(number % 2 == 0 ? "even" : "odd");
            pass(Duration.ofSeconds(6));
        });
        pass(Duration.ofMinutes(1));

        // Then
        assertThat(writes).extracting(EventCorrelator.Write::distinction).containsOnly("even", "odd");
        assertThat(occurrences("even") + occurrences("odd")).isBetween(95, 100);
        assertThat(written).hasSizeLessThan(20).last().isEqualTo("odd");
    }

    @Test
    void aMessageThatWasWrittenBeforeIsARepetition() {
        record("a");
        pass(EventCorrelator.REPEAT_INTERVAL);
        record("a");

        assertThat(writes).extracting(EventCorrelator.Write::isRepeated).containsExactly(false, true);
    }

    @Test
    void aRepetitionSoonAfterIsOnlyCounted() {
        // When
        record("a");
        IntStream.range(0, 9).forEach(ignored -> record("a"));

        // Then
        assertThat(written).containsExactly("a");

        // When
        pass(EventCorrelator.REPEAT_INTERVAL);
        record("a");

        // Then
        assertThat(writes).extracting(EventCorrelator.Write::occurrences).containsExactly(1, 10);
    }

    /** An existing Event already has the newest message. */
    @Test
    void aMessageThatReturnsTakesThePlaceOfADelayedOne() {
        // Given
        IntStream.rangeClosed(1, EventCorrelator.BURST).forEach(number -> record("message " + number));
        record("delayed");

        // When
        record("message 5");

        // Then
        assertThat(correlator.hasDelayed()).isFalse();
    }

    @Test
    void otherObjectsAndReasonsHaveLimitsOfTheirOwn() {
        // Given
        IntStream.rangeClosed(1, 10).forEach(number -> record("message " + number));
        written.clear();

        // When
        note(correlator.record(new EventCorrelator.Key("other", KEY.reason()), "a", "", now));
        note(correlator.record(new EventCorrelator.Key(KEY.uid(), EventReason.Allocated), "b", "", now));

        // Then
        assertThat(written).containsExactly("a", "b");
    }

    @Test
    void afterSomeTimeMessagesHaveEventsOfTheirOwnAgain() {
        // Given
        IntStream.rangeClosed(1, 10).forEach(number -> record("message " + number));
        pass(EventCorrelator.SIMILAR_INTERVAL.plus(Duration.ofSeconds(1)));

        // When
        record("new");

        // Then
        assertThat(written).last().isEqualTo("new");
    }

    @Test
    void aWithdrawnMessageIsNotWritten() {
        // Given
        IntStream.rangeClosed(1, 10).forEach(number -> record("message " + number));

        // When
        correlator.withdraw(KEY);
        pass(Duration.ofMinutes(5));

        // Then
        assertThat(written).hasSize(EventCorrelator.BURST);
    }

    @Test
    void afterAFailedWriteTheSameMessageIsWrittenAgain() {
        // Given
        record("a");
        correlator.failed(writes.get(0));

        // When
        record("a");

        // Then
        assertThat(written).containsExactly("a", "a");
    }

    /** The cache has a maximum size; when an object is evicted, its delayed event is written. */
    @Test
    void nothingIsLostWhenThereAreMoreObjectsThanAreRemembered() {
        // Given
        IntStream.rangeClosed(1, 10).forEach(number -> record("message " + number));

        // When
        IntStream.range(0, EventCorrelator.MAX_REMEMBERED)
                .forEach(number -> note(
                        correlator.record(new EventCorrelator.Key("other-" + number, KEY.reason()), "a", "", now)));

        // Then
        assertThat(written)
                .contains("(combined from similar events): message 10")
                .hasSize(6 + EventCorrelator.MAX_REMEMBERED);
    }

    private final List<String> written = new ArrayList<>();
    private final List<EventCorrelator.Write<String>> writes = new ArrayList<>();

    private void record(String message) {
        note(correlator.record(KEY, message, "", now));
    }

    private void pass(Duration duration) {
        now = now.plus(duration);
        note(correlator.due(now));
    }

    private void note(List<EventCorrelator.Write<String>> more) {
        writes.addAll(more);
        more.forEach(write -> written.add(write.text()));
    }

    private int occurrences(String message) {
        return writes.stream()
                .filter(write -> write.message().equals(message))
                .mapToInt(EventCorrelator.Write::occurrences)
                .sum();
    }
}
