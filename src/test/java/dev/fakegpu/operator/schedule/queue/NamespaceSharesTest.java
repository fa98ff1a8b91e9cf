package dev.fakegpu.operator.schedule.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fakegpu.util.Moment;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class NamespaceSharesTest {

    private static final Moment NOW = new Moment(Duration.ZERO);

    private final NamespaceShares shares = new NamespaceShares();
    private Moment now = NOW;

    @Test
    void namespacesThatAlwaysWaitGetTheSameTime() {
        // Given
        Map<String, Duration> decision =
                Map.of("slow", Duration.ofSeconds(1), "quick", Duration.ofMillis(10), "medium", Duration.ofMillis(100));

        // When
        Map<String, Duration> used = run(decision, Duration.ofSeconds(60));

        // Then
        assertThat(used.values())
                .allSatisfy(each -> assertThat(each).isBetween(Duration.ofSeconds(19), Duration.ofSeconds(21)));
    }

    @Test
    void aNewcomerNeitherWaitsForOthersNorMakesThemWait() {
        // Given
        run(Map.of("old", Duration.ofMillis(10)), Duration.ofSeconds(60));

        // When
        Map<String, Duration> used =
                run(Map.of("old", Duration.ofMillis(10), "new", Duration.ofMillis(10)), Duration.ofSeconds(10));

        // Then
        assertThat(used.get("old")).isCloseTo(used.get("new"), Duration.ofMillis(50));
    }

    @Test
    void decisionsThatTakeNoTimeCountToo() {
        shares.charge("a", Duration.ZERO, now);
        assertThat(shares.virtualTime("a")).isGreaterThan(shares.virtualTime("b"));
    }

    @Test
    void theShareIsThatOfTheLastSeconds() {
        // When
        run(Map.of("busy", Duration.ofMillis(100)), Duration.ofSeconds(60));

        // Then
        assertThat(shares.share("busy", now)).isCloseTo(1, within(0.02));
        assertThat(shares.isOverShare("busy", now)).isTrue();
        assertThat(shares.isOverShare("busy", now.plus(Duration.ofSeconds(8)))).isFalse();
        assertThat(shares.share("busy", now.plus(Duration.ofSeconds(70)))).isLessThan(0.001);
        assertThat(shares.share("idle", now)).isZero();
    }

    @Test
    void aClockThatGoesBackGivesNoNegativeTime() {
        shares.charge("a", Duration.ofSeconds(-5), NOW);
        shares.charge("a", Duration.ofSeconds(1), NOW.minus(Duration.ofSeconds(60)));

        assertThat(shares.share("a", NOW.minus(Duration.ofSeconds(60)))).isBetween(0.09, 0.11);
        assertThat(shares.virtualTime("a")).isPositive();
    }

    @Test
    void namespacesThatAreIdleAreForgotten() {
        // Given
        for (int i = 0; i < 1_000; i++) {
            shares.charge("ns-" + i, Duration.ofMillis(1), NOW);
        }
        assertThat(shares.largest(2_000, NOW)).hasSize(1_000);

        // When
        now = NOW.plus(Duration.ofSeconds(120));
        run(Map.of("ns-0", Duration.ofMillis(10)), Duration.ofSeconds(1));

        // Then
        assertThat(shares.largest(2_000, now)).containsOnlyKeys("ns-0");
    }

    @Test
    void largestSharesComeFirst() {
        shares.charge("small", Duration.ofSeconds(1), NOW);
        shares.charge("large", Duration.ofSeconds(5), NOW);
        shares.charge("medium", Duration.ofSeconds(2), NOW);

        assertThat(shares.largest(2, NOW))
                .containsExactly(Assertions.entry("large", 0.5), Assertions.entry("medium", 0.2));
    }

    /**
     * Simulates namespaces that always have waiting pods, with the time of a decision for each. Returns the time that each namespace used.
     */
    private Map<String, Duration> run(Map<String, Duration> decision, Duration duration) {
        var used = new TreeMap<String, Duration>();
        Moment end = now.plus(duration);
        while (now.isBefore(end)) {
            String next = decision.keySet().stream()
                    .min((a, b) -> Double.compare(shares.virtualTime(a), shares.virtualTime(b)))
                    .orElseThrow();
            shares.advance(shares.virtualTime(next), now);
            Duration taken = decision.get(next);
            now = now.plus(taken);
            shares.charge(next, taken, now);
            used.merge(next, taken, Duration::plus);
        }
        return used;
    }
}
