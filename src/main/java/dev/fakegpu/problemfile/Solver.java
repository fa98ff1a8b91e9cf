package dev.fakegpu.problemfile;

import dev.fakegpu.allocate.AllocatedDevices;
import dev.fakegpu.allocate.Allocator;
import dev.fakegpu.allocate.AllocatorOptions;
import dev.fakegpu.allocate.Outcome;
import dev.fakegpu.allocate.SearchLimit;
import dev.fakegpu.allocate.SliceIndex;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.explain.Explainer;
import io.fabric8.kubernetes.api.model.resource.v1.AllocationResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Answers problems with the allocator of this project. Not for use by several threads. */
public final class Solver {

    private final Selectors selectors;
    private final Settings settings;
    private final LongSupplier nanoClock;

    /**
     * How problems are solved.
     *
     * @param allFeatures whether every feature is on, not only those that a problem names
     * @param runs how often each is repeated; above 1 the first one, which is cold, does not count
     * @param budget for the repetitions together
     * @param timeout for each of them
     * @param explain whether to say why nothing was allocated
     */
    public record Settings(boolean allFeatures, int runs, Duration budget, Duration timeout, boolean explain) {

        /** Each problem once, as it is. */
        public static final Settings ONCE = new Settings(false, 1, Duration.ZERO, Duration.ofSeconds(20), false);
    }

    /** One allocation by an allocator of its own. */
    private record Attempt(Outcome outcome, long steps, long newNs, long ns) {
        boolean timedOut() {
            return outcome instanceof Outcome.Aborted;
        }

        Attempt lasting(long newTime) {
            return new Attempt(outcome, steps, newNs, newTime);
        }
    }

    public Solver(Selectors selectors, Settings settings, LongSupplier nanoClock) {
        this.selectors = selectors;
        this.settings = settings;
        this.nanoClock = nanoClock;
    }

    /** Answers a problem, whatever happens: a fault of the allocator is an answer, too. */
    public ProblemAnswer solve(AllocationProblem problem) {
        Optional<String> unknown = FeatureNames.unknown(problem.features());
        if (unknown.isPresent()) {
            return invalid(problem.name(), "unknown feature \"" + unknown.get() + "\"");
        }
        try {
            return solve(problem, FeatureNames.options(problem.features(), settings.allFeatures()));
        } catch (RuntimeException | StackOverflowError e) {
            return unsolved(problem.name(), ProblemAnswer.Verdict.panic, e.toString());
        }
    }

    /** The answer to something that could not be read. */
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
        Attempt first = attempt(problem, slices, options);
        // Nothing is compiled before the first attempt, so putting the pools together is part of it.
        Attempt cold = first.lasting(nanoClock.getAsLong() - start);
        List<Attempt> counted =
                settings.runs() > 1 && !cold.timedOut() ? repeat(problem, slices, options) : List.of(cold);
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
                median(counted, Attempt::ns),
                cold.ns(),
                median(counted, Attempt::newNs),
                counted.size(),
                settings.explain() ? explanation(problem, slices, options, outcome) : null);
    }

    private List<Attempt> repeat(AllocationProblem problem, SliceIndex slices, AllocatorOptions options) {
        var attempts = new ArrayList<Attempt>();
        long start = nanoClock.getAsLong();
        do {
            attempts.add(attempt(problem, slices, options));
        } while (attempts.size() < settings.runs()
                && nanoClock.getAsLong() - start < settings.budget().toNanos());
        return attempts;
    }

    private Attempt attempt(AllocationProblem problem, SliceIndex slices, AllocatorOptions options) {
        long start = nanoClock.getAsLong();
        var holdings = new AllocatedDevices(problem.state().allocated(), options.groupPolicy());
        var allocator = new Allocator(slices, problem.state().classes(), holdings, selectors, options);
        long made = nanoClock.getAsLong();
        var limit = new StepCounter(limit(problem.interruption()));
        Outcome outcome = allocator.allocate(problem.node(), problem.claims(), limit);
        return new Attempt(outcome, limit.steps(), made - start, nanoClock.getAsLong() - made);
    }

    private SearchLimit limit(AllocationProblem.Interruption interruption) {
        return switch (interruption) {
            case NONE -> SearchLimit.of(settings.timeout(), nanoClock);
            case TIMEOUT, DEADLINE -> SearchLimit.of(Duration.ZERO, nanoClock);
            case CANCEL -> SearchLimit.cancelledBy(() -> true);
        };
    }

    private static long median(List<Attempt> attempts, ToLongFunction<Attempt> time) {
        long[] times = attempts.stream().mapToLong(time).sorted().toArray();
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
        var holdings = new AllocatedDevices(problem.state().allocated(), options.groupPolicy());
        var explainer = new Explainer(slices, problem.state().classes(), holdings, selectors, options);
        return ExplanationJson.of(explainer.explain(List.of(problem.node()), problem.claims()));
    }
}
