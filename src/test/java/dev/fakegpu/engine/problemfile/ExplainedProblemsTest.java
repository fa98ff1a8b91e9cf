package dev.fakegpu.engine.problemfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.Allocator;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.ClusterState;
import dev.fakegpu.engine.allocate.Outcome;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.explain.Explainer;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.Finding;
import dev.fakegpu.engine.explain.finding.Reason;
import dev.fakegpu.engine.explain.finding.Remedy;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Explanations of random problems must agree with the allocator. */
class ExplainedProblemsTest {

    private static final int PROBLEMS = Integer.getInteger("explained.problems", 300);
    private static final long SEED = Long.getLong("explained.seed", 7_000_000);
    private static final int HOLDERS = 3;
    private static final int MAX_QUESTIONS = 2_000;

    private final ObjectMapper json = new ObjectMapper();
    private final Selectors selectors = new Selectors();
    private final Map<Reason, Integer> seen = new EnumMap<>(Reason.class);
    private int waysOut;
    private int never;
    private int neverHad;

    @Test
    void agreesWithTheAllocator() throws Exception {
        for (int i = 0; i < PROBLEMS; i++) {
            AllocationProblem problem = withSeveralHolders(ProblemReader.read(ProblemGenerator.generate(SEED + i)));
            AllocatorOptions options = FeatureNames.options(problem.features());
            check(problem, options, allocate(problem, problem.state(), options));
        }
        assertThat(seen).hasSizeGreaterThan(10);
        assertThat(waysOut).isPositive();
        assertThat(never).isPositive();
        assertThat(neverHad).isPositive();
    }

    /** The format does not have holders, so all devices would have the same one. */
    private static AllocationProblem withSeveralHolders(AllocationProblem problem) {
        List<AllocatedDevice> allocated = problem.state().allocated();
        return with(
                problem,
                IntStream.range(0, allocated.size())
                        .mapToObj(i -> heldBy("holder-" + i % HOLDERS, allocated.get(i)))
                        .toList());
    }

    private static AllocatedDevice heldBy(String holder, AllocatedDevice device) {
        return new AllocatedDevice(
                device.id(), new ClaimRef("default", holder, holder), device.groups(), device.share());
    }

    private static AllocationProblem with(AllocationProblem problem, List<AllocatedDevice> allocated) {
        return new AllocationProblem(
                problem.name(),
                problem.features(),
                problem.interruption(),
                problem.node(),
                new ClusterState(problem.state().slices(), problem.state().classes(), allocated),
                problem.claims());
    }

    private Outcome allocate(AllocationProblem problem, ClusterState state, AllocatorOptions options) {
        var questions = new AtomicInteger();
        SearchLimit limit = () -> questions.incrementAndGet() > MAX_QUESTIONS ? "too hard" : null;
        return new Allocator(AllocationContext.of(state, selectors, options))
                .allocate(problem.node(), problem.claims(), limit);
    }

    private void check(AllocationProblem problem, AllocatorOptions options, Outcome outcome) throws Exception {
        if (outcome instanceof Outcome.Aborted) {
            return;
        }
        Explanation explanation = new Explainer(AllocationContext.of(problem.state(), selectors, options))
                .explain(List.of(problem.node()), problem.claims());
        seen.merge(explanation.reason(), 1, Integer::sum);

        assertThat(explanation.reason() == Reason.Allocatable)
                .as("%s: %s, %s", problem.name(), outcome, explanation.sentence())
                .isEqualTo(outcome instanceof Outcome.Allocated);
        assertThat(explanation.sentence()).isNotBlank().hasSizeLessThanOrEqualTo(Explanation.MAX_SENTENCE);
        assertThat(explanation.table()).isNotEmpty();
        assertThat(json.writeValueAsString(ExplanationJson.of(explanation))).contains("\"reason\"");
        explanation.findings().forEach(finding -> assertIsTold(problem, finding));
        if (!explanation.neverFits()) {
            explanation.everlasting().forEach(finding -> assertIsNeverHad(problem, options, finding));
        }
        Remedy remedy = explanation.remedy();
        if (remedy != null) {
            assertLeadsOut(problem, options, remedy);
        }
        if (explanation.neverFits()) {
            never++;
            assertThat(remedy).as(problem.name()).isNull();
            assertThat(allocate(problem, with(problem, List.of()).state(), options.toleratingEverything()))
                    .as(problem.name())
                    .isNotInstanceOf(Outcome.Allocated.class);
        }
    }

    private static void assertIsTold(AllocationProblem problem, Finding finding) {
        assertThat(finding.reason())
                .as("%s: %s", problem.name(), finding)
                .isNotIn(Reason.Allocatable, Reason.NotTogether);
        assertThat(finding.found()).as(problem.name()).isBetween(0L, Math.max(0, finding.wanted()));
    }

    /** The claims with only this alternative of the request. */
    private void assertIsNeverHad(AllocationProblem problem, AllocatorOptions options, Finding finding) {
        neverHad++;
        var only = new DeviceRequest(finding.requestName(), null, List.of(finding.request()));
        List<Claim> claims = problem.claims().stream()
                .map(claim -> claim.ref().equals(finding.claim()) ? with(claim, only) : claim)
                .toList();
        ClusterState empty = with(problem, List.of()).state();
        assertThat(new Allocator(AllocationContext.of(empty, selectors, options.toleratingEverything()))
                        .allocate(problem.node(), claims, () -> null))
                .as("%s: %s", problem.name(), finding)
                .isNotInstanceOf(Outcome.Allocated.class);
    }

    private static Claim with(Claim claim, DeviceRequest changed) {
        return new Claim(
                claim.ref(),
                claim.requests().stream()
                        .map(request -> request.name().equals(changed.name()) ? changed : request)
                        .toList(),
                claim.constraints(),
                List.of());
    }

    private void assertLeadsOut(AllocationProblem problem, AllocatorOptions options, Remedy remedy) {
        waysOut++;
        if (remedy instanceof Remedy.Release release) {
            List<AllocatedDevice> rest = problem.state().allocated().stream()
                    .filter(device -> !release.claims().contains(device.holder()))
                    .toList();
            assertIsAllocated(problem, with(problem, rest).state(), options, remedy);
        } else if (remedy instanceof Remedy.Tolerate tolerate) {
            assertIsAllocated(problem, problem.state(), options.tolerating(List.of(tolerate.taint())), remedy);
        }
    }

    private void assertIsAllocated(
            AllocationProblem problem, ClusterState state, AllocatorOptions options, Remedy remedy) {
        assertThat(allocate(problem, state, options))
                .as("%s, %s", problem.name(), remedy)
                .isInstanceOf(Outcome.Allocated.class);
    }
}
