package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.engine.allocate.Diagnosis;
import dev.fakegpu.engine.allocate.DiagnosisResult;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.Outcome;
import dev.fakegpu.engine.allocate.RequestError;
import dev.fakegpu.engine.allocate.refusal.Refusal;
import dev.fakegpu.engine.explain.finding.Alignment;
import dev.fakegpu.engine.explain.finding.Finding;
import dev.fakegpu.engine.explain.finding.Phrases;
import dev.fakegpu.engine.explain.finding.Reason;
import dev.fakegpu.engine.explain.finding.ValuesThere;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why claims cannot be allocated on a node: the requests that fail on their own, or else the first that fails after the others.
 */
final class NodeExplainer {

    private final HypotheticalState state;
    private final NodeInfo node;
    private final ExplanationBudget budget;
    private final int devices;

    /** @param devices the number of devices that the node can access */
    NodeExplainer(HypotheticalState state, NodeInfo node, int devices, ExplanationBudget budget) {
        this.state = state;
        this.node = node;
        this.devices = devices;
        this.budget = budget;
    }

    /**
     * One finding for each request that cannot be satisfied on its own, or else for the first request that cannot be satisfied together
     * with those before it. A request with alternatives has one finding per alternative. Empty if the claims can be allocated.
     */
    List<Finding> inspect(List<Claim> claims) {
        List<ExplainedRequest> requests = ExplainedRequest.of(claims);
        // A selector may fail on a device only if other requests are omitted, so all requests are tried together first.
        if (requests.size() != 1 && allocate(requests) instanceof Outcome.Allocated) {
            return List.of();
        }
        var findings = new ArrayList<Finding>();
        for (ExplainedRequest request : requests) {
            findings.addAll(inspect(List.of(), request));
        }
        for (int i = 1; i < requests.size() && findings.isEmpty(); i++) {
            findings.addAll(inspect(requests.subList(0, i), requests.get(i)));
        }
        return findings;
    }

    /**
     * The findings for one request: one for each of its alternatives; empty if the request can be satisfied.
     *
     * @param before the requests that are satisfied first
     */
    List<Finding> inspect(List<ExplainedRequest> before, ExplainedRequest failing) {
        Outcome outcome = allocate(ExplainedRequest.append(before, failing));
        return outcome instanceof Outcome.Allocated
                ? List.of()
                : failing.options().stream()
                        .map(option -> new OptionExplainer(before, failing, option).inspect(outcome))
                        .toList();
    }

    private Outcome allocate(List<ExplainedRequest> requests) {
        List<Claim> claims = ExplainedRequest.claims(requests);
        return state.allocate(node, claims, budget.search(devices, ExplainedRequest.devices(claims)));
    }

    private @Nullable List<Allocation> allocations(List<ExplainedRequest> requests) {
        return allocate(requests) instanceof Outcome.Allocated allocated ? allocated.allocations() : null;
    }

    /** Finds out why one option of a request cannot be satisfied after the other requests. */
    private final class OptionExplainer {
        private final List<ExplainedRequest> before;
        private final ExplainedRequest failing;
        private final ExactRequest option;
        private final String resultName;
        private final List<Claim> claims;
        private final int claim;
        private List<ValuesThere> values = List.of();
        private boolean isExhaustive = true;

        OptionExplainer(List<ExplainedRequest> before, ExplainedRequest failing, ExactRequest option) {
            this.before = before;
            this.failing = failing;
            this.option = option;
            resultName = failing.resultName(option);
            claims = ExplainedRequest.claims(ExplainedRequest.append(before, failing.only(option, option.count())));
            claim = claims.size() - 1;
        }

        /** Allocates the preceding requests, then as much of the request as possible, and collects the refusals of the other devices. */
        Finding inspect(Outcome outcome) {
            DiagnosisResult diagnosed = state.diagnoser().diagnose(node, claims);
            if (diagnosed instanceof DiagnosisResult.Invalid invalid) {
                return faulty(invalid.error());
            }
            isExhaustive = !(outcome instanceof Outcome.Aborted);
            Diagnosis diagnosis = mostServed(((DiagnosisResult.Diagnosed) diagnosed).diagnosis());
            var refusals = new RefusalCounts();
            diagnosis.judge(claim, resultName).forEach(refusals::add);
            budget.spend(devices);
            if (refusals.isAboutSelectorsOnly() && diagnosis.picked(claim, resultName) == 0) {
                addOutOfReach(refusals);
                values = new ValuesFinder(state).values(node, option);
            }
            return finding(diagnosis, refusals, outcome);
        }

        private void addOutOfReach(RefusalCounts refusals) {
            List<Diagnosis.Judged> found = new OutOfReach(state).devices(node, option);
            found.forEach(refusals::add);
            budget.spend(found.size());
        }

        /** Allocates greedily, which is fast and nearly always finds the maximum. If it does not, a search looks for more. */
        private Diagnosis mostServed(Diagnosis untouched) {
            Diagnosis diagnosis = served(untouched, allocations(before));
            long wanted = diagnosis.requested(claim, resultName);
            long found = diagnosis.pickFirst(claim, resultName, wanted);
            budget.spend(devices);
            if (option.isAll() || found >= wanted - 1 || !isExhaustive) {
                return diagnosis;
            }
            List<Allocation> better = best(found + 1, wanted - 1);
            return better == null ? diagnosis : served(again(), better);
        }

        /** Binary search: if a number of devices can be allocated, so can any smaller number. */
        private @Nullable List<Allocation> best(long least, long most) {
            List<Allocation> best = null;
            long low = least;
            long high = most;
            while (low <= high) {
                long middle = (low + high) >>> 1;
                Outcome outcome = allocate(ExplainedRequest.append(before, failing.only(option, middle)));
                isExhaustive &= !(outcome instanceof Outcome.Aborted);
                if (outcome instanceof Outcome.Allocated allocated) {
                    best = allocated.allocations();
                    low = middle + 1;
                } else {
                    high = middle - 1;
                }
            }
            return best;
        }

        private Diagnosis again() {
            return ((DiagnosisResult.Diagnosed) state.diagnoser().diagnose(node, claims)).diagnosis();
        }

        private static Diagnosis served(Diagnosis diagnosis, @Nullable List<Allocation> allocations) {
            for (int i = 0; allocations != null && i < allocations.size(); i++) {
                diagnosis.pick(i, allocations.get(i));
            }
            return diagnosis;
        }

        private Finding faulty(RequestError fault) {
            var refusals = new RefusalCounts();
            if (fault instanceof RequestError.SelectorFailed failed) {
                refusals.add(new Diagnosis.Judged(
                        failed.device(), new Refusal.SelectorFailed(failed.origin(), failed.message())));
                return finding(0, 0, refusals, null);
            }
            return fault instanceof RequestError.PoolUnusable
                    ? finding(0, 0, refusals, null)
                    : finding(0, 0, refusals, new Finding.Problem(Reason.of(fault), Phrases.fault(fault, List.of())));
        }

        private Finding finding(Diagnosis diagnosis, RefusalCounts refusals, Outcome outcome) {
            long wanted = diagnosis.requested(claim, resultName);
            long found = diagnosis.picked(claim, resultName);
            return finding(wanted, found, refusals, problem(diagnosis, wanted - found, refusals, outcome));
        }

        /** The cause if it is not the devices, such as the limit of results or an unfinished search. */
        private Finding.@Nullable Problem problem(
                Diagnosis diagnosis, long missing, RefusalCounts refusals, Outcome outcome) {
            if (missing > diagnosis.resultsLeft(claim)) {
                return new Finding.Problem(Reason.TooManyDevices, Phrases.tooManyTogether());
            }
            List<Finding.Stopped> stopped = refusals.stopped();
            if (!stopped.isEmpty() && (missing > 0 || stopped.get(0).reason().compareTo(Reason.Failed) <= 0)) {
                return null;
            }
            if (outcome instanceof Outcome.Failed failed && failed.scope() == Outcome.Scope.FATAL) {
                return new Finding.Problem(Reason.Failed, failed.message());
            }
            return outcome instanceof Outcome.Aborted
                    ? new Finding.Problem(Reason.Undecided, Phrases.undecided())
                    : null;
        }

        private List<Finding.PoolProblem> pools(List<Finding.Stopped> stopped, long found) {
            AskedDrivers asked = asked();
            // An incomplete pool of any driver stops a request for all devices.
            var problems =
                    new ArrayList<>(PoolProblems.of(state, node, driver -> option.isAll() || asked.include(driver)));
            if (problems.isEmpty() && stopped.isEmpty()) {
                state.others().problem(node, asked, found).ifPresent(problems::add);
            }
            stopped.stream()
                    .findFirst()
                    .filter(first -> first.reason() == Reason.DevicesInUse)
                    .flatMap(first -> PoolProblems.namesake(
                            state, node, first.examples().get(0).device()))
                    .ifPresent(problems::add);
            return problems;
        }

        private @Nullable Alignment alignment(List<Finding.Stopped> stopped) {
            return stopped.stream()
                    .limit(1)
                    .map(first -> first.examples().get(0).refusal())
                    .flatMap(refusal -> new AlignmentFinder(state, node, devices, budget)
                            .of(failing.claim(), failing.request(), option, refusal).stream())
                    .findFirst()
                    .orElse(null);
        }

        private AskedDrivers asked() {
            var context = state.context();
            return AskedDrivers.of(Stream.of(option), context.classes(), context.selectors());
        }

        private Finding finding(long wanted, long found, RefusalCounts refusals, Finding.@Nullable Problem problem) {
            Alignment alignment = alignment(refusals.stopped());
            refusals.addAlternatives(alignment);
            return new Finding(
                    node.name(),
                    failing.claim().ref(),
                    failing.request().name(),
                    failing.position(),
                    option,
                    failing.hasAlternatives(),
                    wanted,
                    found,
                    before.stream().map(ExplainedRequest::ref).toList(),
                    devices,
                    refusals.stopped(),
                    values,
                    refusals.blockers(),
                    refusals.taints(),
                    alignment,
                    pools(refusals.stopped(), found),
                    problem,
                    isExhaustive,
                    false);
        }
    }
}
