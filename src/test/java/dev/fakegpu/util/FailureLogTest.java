package dev.fakegpu.util;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ClockJumpTests;
import dev.fakegpu.testing.MutableClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FailureLogTest implements ClockJumpTests {

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final List<String> messages = new ArrayList<>();
    private final FailureLog log = new FailureLog(clock, messages::add);

    @Test
    void theRootCauseIsNamed() {
        var refused = new IOException("connection refused");

        log.failed("node-1", new IllegalStateException("An error has occurred.", new UncheckedIOException(refused)));

        assertThat(messages).containsExactly("node-1: An error has occurred. (connection refused)");
    }

    @Test
    void theRootCauseIsNotRepeated() {
        log.failed("node-1", new IllegalStateException("failed: timeout", new IOException("timeout")));

        assertThat(messages).containsExactly("node-1: failed: timeout");
    }

    @Test
    void theFirstFailureIsReportedAtOnce() {
        log.failed("node-1: timeout");

        assertThat(messages).containsExactly("node-1: timeout");
    }

    @Test
    void frequentFailuresAreLoggedOnceAMinute() {
        // When
        for (int round = 0; round < 12; round++) {
            IntStream.range(0, 1000).forEach(node -> log.failed("node-" + node));
            clock.advance(Duration.ofSeconds(10));
        }

        // Then
        assertThat(messages).containsExactly("node-0", "node-0 (and 5999 more since the last message)");
    }

    @Test
    void failureAfterAPauseIsReportedWithTheNumberOfSkippedOnes() {
        log.failed("a");
        log.failed("b");
        clock.advance(FailureLog.INTERVAL);

        log.failed("c");
        clock.advance(FailureLog.INTERVAL);
        log.failed("d");

        assertThat(messages).containsExactly("a", "c (and 1 more since the last message)", "d");
    }

    @Override
    public MutableClock clock() {
        return clock;
    }

    @Override
    public Duration begin() {
        log.failed("a");
        return FailureLog.INTERVAL;
    }

    @Override
    public boolean isOver() {
        log.failed("b");
        return messages.size() > 1;
    }
}
