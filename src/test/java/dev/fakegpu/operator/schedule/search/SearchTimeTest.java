package dev.fakegpu.operator.schedule.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.engine.allocate.SearchLimit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SearchTimeTest {

    /** Checks the limits as the search does: a limit of computing time, which is read all the time, and a limit of elapsed time. */
    @Test
    void aLimitOfReadingsIsReachedAtTheSamePointHoweverSlowTheMachineIs() {
        assertThat(stepsUntilReached(Duration.ofMillis(10)))
                .isEqualTo(stepsUntilReached(Duration.ofMillis(10)))
                .isBetween(10_000, 20_000);
        assertThat(stepsUntilReached(Duration.ofMillis(20))).isGreaterThan(stepsUntilReached(Duration.ofMillis(10)));
    }

    private static int stepsUntilReached(Duration longest) {
        var time = SearchTime.ofReadings();
        SearchLimit limit =
                SearchLimit.of(longest, time.computing()).and(SearchLimit.of(Duration.ofSeconds(30), time.elapsed()));
        int steps = 0;
        while (limit.reached() == null) {
            steps++;
        }
        return steps;
    }
}
