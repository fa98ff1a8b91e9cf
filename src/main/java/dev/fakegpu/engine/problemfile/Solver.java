package dev.fakegpu.engine.problemfile;

import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.Allocator;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.Outcome;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.allocate.SliceIndex;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.explain.Explainer;
import io.fabric8.kubernetes.api.model.resource.v1.AllocationResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Solves problems with this project's allocator. Not thread-safe. */
public final class Solver {

    private final Selectors selectors;
    private final Settings settings;
    private final LongSupplier nanoClock;

    /**
     * Settings for solving problems.
     *
     * @param allFeatures whether to enable every feature, not only those that a problem names
     * @param runs how often each problem is solved; if more than once, the first (cold) run is not counted
     * @param budget the time limit for all repetitions of a problem
     * @param timeout the time limit of each run
     * @param explain whether to explain why nothing was allocated
     */
    public record Settings(boolean allFeatures, int runs, Duration budget, Duration timeout, boolean explain) {

        /** Solves each problem once, with its own features. */
        public static final Settings ONCE = new Settings(false, 1, Duration.ZERO, Duration.ofSeconds(20), false);
    }

    /** One allocation by a new allocator. */
    private record Run(Outcome outcome, long steps, long newNs, long ns) {
        boolean timedOut() {
            return outcome instanceof Outcome.Aborted;
        }

        Run lasting(long newTime) {
            return new Run(outcome, steps, newNs, newTime);
        }
    }

    public Solver(Selectors selectors, Settings settings, LongSupplier nanoClock) {
        this.selectors = selectors;
        this.settings = settings;
        this.nanoClock = nanoClock;
    }

    /** Solves a problem. An unexpected exception of the allocator becomes an answer, too. */
    public ProblemAnswer solve(AllocationProblem problem) {
        Optional<String> unknown = FeatureNames.unknown(problem.features());
        if (unknown.isPresent()) {
            return invalid(problem.name(), "unknown feature \"" + unknown.get() + "\"");
        }
        try {
            return solve(
                    problem, FeatureNames.options(settings.allFeatures() ? FeatureNames.all() : problem.features()));
        } catch (RuntimeException | StackOverflowError e) {
            return unsolved(problem.name(), ProblemAnswer.Verdict.panic, e.toString());
        }
    }

    /** The answer to unreadable input. */
    public static ProblemAnswer invalid(String problem, String message) {
        return unsolved(problem, ProblemAnswer.Verdict.invalid, message);
    }

    private static ProblemAnswer unsolved(String problem, ProblemAnswer.Verdict outcome, String message) {
        return new ProblemAnswer(
                problem, ProblemAnswer.IMPLEMENTATION, outcome, null, message, null, 0, null, 0, 0, 0, 0, null);
    }

    private ProblemAnswer solve(AllocationProblem problem, AllocatorOptions options) {
        long start = nanoClock.getAsLong();
        var slices = new SliceIndex(problem.state().slices(), options);
        Run first = run(problem, slices, options);
        // The first run includes the time to build the pools.
        Run cold = first.lasting(nanoClock.getAsLong() - start);
        List<Run> counted = settings.runs() > 1 && !cold.timedOut() ? repeat(problem, slices, options) : List.of(cold);
        Outcome outcome = cold.outcome();
        return new ProblemAnswer(
                problem.name(),
                ProblemAnswer.IMPLEMENTATION,
                verdict(outcome),
                results(outcome),
                error(outcome),
                errorScope(outcome),
                cold.steps(),
                cold.timedOut() && problem.interruption() == AllocationProblem.Interruption.NONE ? true : null,
                median(counted, Run::ns),
                cold.ns(),
                median(counted, Run::newNs),
                counted.size(),
                settings.explain() ? explanation(problem, slices, options, outcome) : null);
    }

    private List<Run> repeat(AllocationProblem problem, SliceIndex slices, AllocatorOptions options) {
        var repeated = new ArrayList<Run>();
        long start = nanoClock.getAsLong();
        do {
            repeated.add(run(problem, slices, options));
        } while (repeated.size() < settings.runs()
                && nanoClock.getAsLong() - start < settings.budget().toNanos());
        return repeated;
    }

    private Run run(AllocationProblem problem, SliceIndex slices, AllocatorOptions options) {
        long start = nanoClock.getAsLong();
        var allocator = new Allocator(context(problem, slices, options));
        long made = nanoClock.getAsLong();
        var limit = new StepCounter(limit(problem.interruption()));
        Outcome outcome = allocator.allocate(problem.node(), problem.claims(), limit);
        return new Run(outcome, limit.steps(), made - start, nanoClock.getAsLong() - made);
    }

    private SearchLimit limit(AllocationProblem.Interruption interruption) {
        return switch (interruption) {
            case NONE -> SearchLimit.of(settings.timeout(), nanoClock);
            case TIMEOUT, DEADLINE -> SearchLimit.of(Duration.ZERO, nanoClock);
            case CANCEL -> SearchLimit.cancelledBy(() -> true);
        };
    }

    private static long median(List<Run> counted, ToLongFunction<Run> time) {
        long[] times = counted.stream().mapToLong(time).sorted().toArray();
        return times[times.length / 2];
    }

    private static ProblemAnswer.Verdict verdict(Outcome outcome) {
        if (outcome instanceof Outcome.Allocated) {
            return ProblemAnswer.Verdict.allocated;
        }
        return outcome instanceof Outcome.None ? ProblemAnswer.Verdict.none : ProblemAnswer.Verdict.error;
    }

    private static @Nullable String error(Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            return failed.message();
        }
        return outcome instanceof Outcome.Aborted aborted ? aborted.message() : null;
    }

    private static @Nullable String errorScope(Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            return failed.scope() == Outcome.Scope.NODE ? "node" : "fatal";
        }
        return outcome instanceof Outcome.Aborted ? "context" : null;
    }

    private static @Nullable List<AllocationResult> results(Outcome outcome) {
        if (!(outcome instanceof Outcome.Allocated allocated)) {
            return null;
        }
        return allocated.allocations().stream().map(Allocations::write).toList();
    }

    private @Nullable ExplanationJson explanation(
            AllocationProblem problem, SliceIndex slices, AllocatorOptions options, Outcome outcome) {
        if (outcome instanceof Outcome.Allocated) {
            return null;
        }
        var explainer = new Explainer(context(problem, slices, options));
        return ExplanationJson.of(explainer.explain(List.of(problem.node()), problem.claims()));
    }

    private AllocationContext context(AllocationProblem problem, SliceIndex slices, AllocatorOptions options) {
        var allocated = new AllocatedDevices(problem.state().allocated(), options.groupPolicy());
        return new AllocationContext(slices, problem.state().classes(), allocated, selectors, options);
    }
}
