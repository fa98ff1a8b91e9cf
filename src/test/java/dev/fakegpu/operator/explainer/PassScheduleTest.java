package dev.fakegpu.operator.explainer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.operator.explainer.PassSchedule.Pass;
import dev.fakegpu.util.Moment;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PassScheduleTest {

    private static final Moment START = new Moment(Duration.ZERO);

    private final PassSchedule schedule = new PassSchedule();

    @Test
    void beginsASecondAfterTheFirstChange() {
        schedule.changed(START);
        schedule.changed(at(700));
        assertThat(schedule.begin(at(999))).isEqualTo(Pass.NONE);
        assertThat(schedule.begin(at(1000))).isEqualTo(Pass.FULL);
        assertThat(schedule.begin(at(5000))).isEqualTo(Pass.NONE);
    }

    @Test
    void afterALongPassOnlyNewObjectsAreExplainedSoon() {
        // Given
        schedule.changed(START);
        assertThat(schedule.begin(at(1000))).isEqualTo(Pass.FULL);
        schedule.ended(Pass.FULL, at(1000), at(5000));

        // When
        schedule.changed(at(5000));
        schedule.arrived(at(5000));

        // Then
        assertThat(schedule.begin(at(5999))).isEqualTo(Pass.NONE);
        assertThat(schedule.begin(at(6000))).isEqualTo(Pass.ARRIVALS);
        schedule.ended(Pass.ARRIVALS, at(6000), at(6010));
        assertThat(schedule.begin(at(16999))).isEqualTo(Pass.NONE);
        assertThat(schedule.begin(at(17000))).isEqualTo(Pass.FULL);
    }

    /** The timer and the explainer may read different clocks. Without a new timer, there would be no more passes. */
    @Test
    void aTimerThatEndsTooEarlyIsSetAgain() {
        schedule.changed(START);
        assertThat(schedule.setTimer()).contains(at(1000));
        assertThat(schedule.setTimer()).isEmpty();

        assertThat(schedule.begin(at(998))).isEqualTo(Pass.NONE);

        assertThat(schedule.setTimer()).contains(at(1000));
    }

    /**
     * The earlier passes do not matter. Here each takes a second, the maximum, and they follow one another because objects keep arriving.
     */
    @Test
    void newObjectsAreExplainedWithinTwoSeconds() {
        Moment now = START;
        for (int i = 0; i < 1000; i++) {
            Moment arrived = now.plus(Duration.ofMillis(i));
            schedule.arrived(arrived);
            schedule.changed(arrived);
            Moment begin = schedule.setTimer().orElseThrow();
            Pass pass = schedule.begin(begin);
            assertThat(arrived.until(begin)).isLessThanOrEqualTo(Duration.ofSeconds(2));
            Moment end = begin.plus(Duration.ofMillis(1000));
            schedule.arrived(begin.plus(Duration.ofMillis(1)));
            schedule.ended(pass, begin, end);
            Moment next = schedule.setTimer().orElseThrow();
            assertThat(begin.plus(Duration.ofMillis(1)).until(next)).isLessThanOrEqualTo(Duration.ofSeconds(2));
            now = next;
            schedule.ended(schedule.begin(next), next, next.plus(Duration.ofMillis(1)));
        }
    }

    @Test
    void remainingObjectsAreExplainedAfterAnInterval() {
        schedule.arrivalsAreLeft(START);
        assertThat(schedule.setTimer()).hasValue(START.plus(PassSchedule.INTERVAL));
    }

    @Test
    void oneTimerIsEnoughUnlessSomethingIsDueEarlier() {
        schedule.arrivalsDueAt(at(5000));
        assertThat(schedule.setTimer()).hasValue(at(5000));
        assertThat(schedule.setTimer()).isEmpty();
        schedule.changed(START);
        assertThat(schedule.setTimer()).hasValue(at(1000));
        schedule.changed(at(1));
        assertThat(schedule.setTimer()).isEmpty();
    }

    private static Moment at(long millis) {
        return START.plus(Duration.ofMillis(millis));
    }
}
