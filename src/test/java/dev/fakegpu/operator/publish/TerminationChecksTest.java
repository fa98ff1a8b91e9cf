package dev.fakegpu.operator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.MutableClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TerminationChecksTest {

    private final MutableClock clock = new MutableClock("2026-01-31T12:00:00Z");
    private final TerminationChecks checks = new TerminationChecks(clock);

    /**
     * Each reconciliation lists the pods of the surplus nodes and patches nothing. A tenant must not be able to cause five of them per
     * second.
     */
    @Test
    void aPodThatNeverEndsCausesFewChecks() {
        int inADay = 0;
        for (Duration passed = Duration.ZERO; passed.compareTo(Duration.ofDays(1)) < 0; inADay++) {
            Duration next = checks.next("a", true).orElseThrow();
            assertThat(next).isBetween(TerminationChecks.FIRST, TerminationChecks.MAX);
            clock.advance(next);
            passed = passed.plus(next);
        }

        assertThat(inADay).isLessThan(24 * 60 + 20);
    }

    @Test
    void theNextNodeIsCheckedAtOnceAgain() {
        checks.next("a", true);
        clock.advance(Duration.ofHours(1));
        assertThat(checks.next("a", true)).contains(TerminationChecks.MAX);

        assertThat(checks.next("a", false)).isEmpty();
        assertThat(checks.next("a", true)).contains(TerminationChecks.FIRST);
    }

    @Test
    void oneFakeGpuDoesNotDelayAnother() {
        checks.next("a", true);
        clock.advance(Duration.ofHours(1));

        assertThat(checks.next("b", true)).contains(TerminationChecks.FIRST);
    }
}
