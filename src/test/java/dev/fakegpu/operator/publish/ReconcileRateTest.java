package dev.fakegpu.operator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ClockJumpTests;
import dev.fakegpu.testing.MutableClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReconcileRateTest implements ClockJumpTests {

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final ReconcileRate rate = new ReconcileRate(clock);
    private final ReconcileRate.State state = rate.initState();

    @Test
    void thereAreFourReconciliationsASecond() {
        int begun = 0;
        for (int i = 0; i < 1000; i++) {
            begun += rate.isLimited(state).isEmpty() ? 1 : 0;
            clock.advance(Duration.ofMillis(10));
        }

        assertThat(begun).isEqualTo(40);
    }

    @Test
    void fifthReconciliationGetsTheTimeToWait() {
        for (int i = 0; i < ReconcileRate.LIMIT; i++) {
            assertThat(rate.isLimited(state)).isEmpty();
        }
        clock.advance(Duration.ofMillis(300));

        assertThat(rate.isLimited(state)).contains(Duration.ofMillis(700));
        assertThat(rate.isLimited(rate.initState())).as("another FakeGpu").isEmpty();
    }

    @Override
    public MutableClock clock() {
        return clock;
    }

    @Override
    public Duration begin() {
        while (rate.isLimited(state).isEmpty()) {
            // until the rate is limited
        }
        return ReconcileRate.PERIOD;
    }

    @Override
    public boolean isOver() {
        return rate.isLimited(state).isEmpty();
    }
}
