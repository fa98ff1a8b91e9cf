package dev.fakegpu.e2e.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A short run of {@code hack/bench soak}. */
@Tag("long")
class SoakE2E {

    private static final long MINUTES = Long.getLong("soak.minutes", 3);
    private static final long SEED = Long.getLong("e2e.seed", System.nanoTime());

    @Test
    void noRuleIsBrokenAndNothingIsLeftBehind() {
        var report = Soak.run(Duration.ofMinutes(MINUTES), SEED);

        System.out.println(report.markdown());
        assertThat(report.violations()).isEmpty();
        assertThat(report.allocated()).isGreaterThan(100);
    }
}
