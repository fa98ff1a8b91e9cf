package dev.fakegpu.engine.preemption;

import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.preemption.PreemptionProblem.Candidate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the pods that must be evicted. Upstream: {@code SelectVictimsOnNode} in {@code plugins/defaultpreemption} and
 * {@code pickOneNodeForPreemption} in {@code pkg/scheduler/framework/preemption}; upstream does not preempt for devices.
 *
 * <p>On each node, the search removes all victims hypothetically. If that helps, it puts back as many as possible: first those that would
 * violate a budget, then the others, and in both groups the most important first. So no pod is evicted unless its eviction helps, since
 * returning devices never takes others away.
 */
public final class PreemptionSearch {

    /** Shifts priorities so that negative ones count, too. */
    private static final long LOWEST = 1L << 31;

    /** Sorts the best node first. */
    private static final Comparator<PreemptionOutcome.Found> BY_HARM = Comparator.comparingInt(
                    PreemptionOutcome.Found::violations)
            .thenComparingInt(found -> first(found).priority())
            .thenComparingLong(found ->
                    pods(found).mapToLong(pod -> pod.priority() + LOWEST).sum())
            .thenComparingLong(found -> pods(found).count())
            .thenComparing(PreemptionSearch::earliestStart, Comparator.reverseOrder());

    private final PreemptionProblem problem;
    private final SearchLimit limit;

    private PreemptionSearch(PreemptionProblem problem, SearchLimit limit) {
        this.problem = problem;
        this.limit = limit;
    }

    /** @param limit the limit of the whole search */
    public static PreemptionOutcome find(PreemptionProblem problem, SearchLimit limit) {
        return new PreemptionSearch(problem, limit).find();
    }

    private PreemptionOutcome find() {
        PreemptionOutcome.@Nullable Found best = null;
        for (Candidate node : problem.nodes()) {
            PreemptionOutcome here = on(node);
            if (here instanceof PreemptionOutcome.NotNeeded || here instanceof PreemptionOutcome.Aborted) {
                return here;
            }
            if (here instanceof PreemptionOutcome.Found found && (best == null || BY_HARM.compare(found, best) < 0)) {
                best = found;
            }
        }
        return best == null ? new PreemptionOutcome.NoHelp() : best;
    }

    private PreemptionOutcome on(Candidate node) {
        var state = new OccupiedNode(problem, node, limit);
        node.victims().forEach(state::remove);
        if (!state.isFree()) {
            return state.aborted()
                    .<PreemptionOutcome>map(PreemptionOutcome.Aborted::new)
                    .orElseGet(PreemptionOutcome.NoHelp::new);
        }
        List<Victim> sorted =
                node.victims().stream().sorted(Victim.BY_IMPORTANCE).toList();
        var budgets = new BudgetViolations(problem.budgets());
        List<Integer> violations = sorted.stream().map(budgets::of).toList();
        var victims = new ArrayList<Victim>();
        int violating = 0;
        for (boolean againstBudget : List.of(true, false)) {
            for (int i = 0; i < sorted.size(); i++) {
                if (violations.get(i) > 0 == againstBudget && mustGo(sorted.get(i), state)) {
                    victims.add(sorted.get(i));
                    violating += violations.get(i);
                }
            }
        }
        Optional<String> aborted = state.aborted();
        if (aborted.isPresent()) {
            return new PreemptionOutcome.Aborted(aborted.get());
        }
        victims.sort(Comparator.comparing(sorted::indexOf));
        return victims.isEmpty()
                ? new PreemptionOutcome.NotNeeded(node.node().name(), state.allocations())
                : new PreemptionOutcome.Found(node.node().name(), victims, violating, state.allocations());
    }

    private static boolean mustGo(Victim victim, OccupiedNode state) {
        state.restore(victim);
        if (state.isFree()) {
            return false;
        }
        state.remove(victim);
        return true;
    }

    private static Stream<Victim.Member> pods(PreemptionOutcome.Found found) {
        return found.victims().stream().flatMap(victim -> victim.pods().stream());
    }

    private static Victim.Member first(PreemptionOutcome.Found found) {
        return found.victims().get(0).pods().get(0);
    }

    /** The earliest start of the pods with the highest priority, like {@code GetEarliestPodStartTime} in {@code pkg/scheduler/util}. */
    private static Instant earliestStart(PreemptionOutcome.Found found) {
        int highest = pods(found).mapToInt(Victim.Member::priority).max().orElse(0);
        return pods(found)
                .filter(pod -> pod.priority() == highest)
                .map(Victim.Member::started)
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
    }
}
