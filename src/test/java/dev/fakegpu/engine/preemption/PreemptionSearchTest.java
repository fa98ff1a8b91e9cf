package dev.fakegpu.engine.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.preemption.PreemptionBruteForce.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PreemptionSearchTest {

    private static final int PROBLEMS = Integer.getInteger("preemption.problems", 5_000);

    /** The search finds the same node and the same victims, without unnecessary ones. */
    @Test
    void findsTheVictimsThatBruteForceFinds() {
        int found = 0;
        int notNeeded = 0;
        int several = 0;
        int againstBudgets = 0;
        int groups = 0;
        for (long seed = 0; seed < PROBLEMS; seed++) {
            RandomPreemption preemption = RandomPreemption.of(seed);
            var bruteForce = new PreemptionBruteForce(preemption);
            Optional<Answer> best = bruteForce.best();
            PreemptionOutcome outcome = PreemptionSearch.find(preemption.problem(), SearchLimit.none());

            assertThat(answer(outcome)).as("seed %s", seed).isEqualTo(best);
            if (outcome instanceof PreemptionOutcome.Found victims) {
                found++;
                several += victims.victims().size() > 1 ? 1 : 0;
                againstBudgets += victims.violations() > 0 ? 1 : 0;
                groups +=
                        victims.victims().stream().anyMatch(each -> each.pods().size() > 1) ? 1 : 0;
                assertThatNoneIsTooMany(seed, preemption, bruteForce, victims);
            }
            notNeeded += outcome instanceof PreemptionOutcome.NotNeeded ? 1 : 0;
        }
        System.out.printf(
                "%d preemptions: %d with victims (%d with several, %d against budgets, %d with groups), %d not needed%n",
                PROBLEMS, found, several, againstBudgets, groups, notNeeded);
        assertThat(found).isGreaterThan(PROBLEMS / 10);
        assertThat(several).isGreaterThan(PROBLEMS / 50);
        assertThat(againstBudgets).isGreaterThan(PROBLEMS / 50);
        assertThat(groups).isGreaterThan(PROBLEMS / 100);
        assertThat(notNeeded).isLessThan(PROBLEMS / 2);
    }

    private static Optional<Answer> answer(PreemptionOutcome outcome) {
        if (outcome instanceof PreemptionOutcome.Found found) {
            return Optional.of(new Answer(found.node(), found.victims(), found.violations()));
        }
        return outcome instanceof PreemptionOutcome.NotNeeded place
                ? Optional.of(new Answer(place.node(), List.of(), 0))
                : Optional.empty();
    }

    private static void assertThatNoneIsTooMany(
            long seed, RandomPreemption preemption, PreemptionBruteForce bruteForce, PreemptionOutcome.Found found) {
        var node = preemption.problem().nodes().stream()
                .filter(each -> each.node().name().equals(found.node()))
                .findFirst()
                .orElseThrow();
        for (Victim one : found.victims()) {
            List<Victim> others = new ArrayList<>(found.victims());
            others.remove(one);
            assertThat(bruteForce.helps(node, others))
                    .as("seed %s: %s goes in vain", seed, one)
                    .isFalse();
        }
    }

    @Test
    void aLimitEndsTheSearch() {
        assertThat(PreemptionSearch.find(
                        RandomPreemption.of(firstWithVictims()).problem(), SearchLimit.cancelledBy(() -> true)))
                .isInstanceOfSatisfying(
                        PreemptionOutcome.Aborted.class,
                        aborted -> assertThat(aborted.message()).startsWith("cancelled"));
    }

    private static long firstWithVictims() {
        long seed = 0;
        while (!(PreemptionSearch.find(RandomPreemption.of(seed).problem(), SearchLimit.none())
                instanceof PreemptionOutcome.Found)) {
            seed++;
        }
        return seed;
    }
}
