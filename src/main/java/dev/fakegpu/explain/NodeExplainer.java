package dev.fakegpu.explain;

import dev.fakegpu.allocate.Diagnosis;
import dev.fakegpu.allocate.DiagnosisResult;
import dev.fakegpu.allocate.NodeInfo;
import dev.fakegpu.allocate.Outcome;
import dev.fakegpu.allocate.Refusal;
import dev.fakegpu.allocate.RequestError;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ExactRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds what keeps a node from serving claims: the requests that fail on their own, or else the first that fails after others. */
final class NodeExplainer {

    private final HypotheticalState world;
    private final NodeInfo node;
    private final ExplanationBudget budget;
    private final int devices;

    /** @param devices how many the node can reach */
    NodeExplainer(HypotheticalState world, NodeInfo node, int devices, ExplanationBudget budget) {
        this.world = world;
        this.node = node;
        this.devices = devices;
        this.budget = budget;
    }

    /**
     * One finding for each request that cannot be served on its own, or for the first that does not fit with those before it; one
     * for each of its alternatives if it has any.
     */
    List<Finding> inspect(List<Claim> claims) {
        List<ExplainedRequest> requests = ExplainedRequest.of(claims);
        // A selector may fail on a device that is out of the way if all requests are served, so the parts do not tell.
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

    private List<Finding> inspect(List<ExplainedRequest> before, ExplainedRequest failing) {
        Outcome outcome = allocate(ExplainedRequest.append(before, failing));
        return outcome instanceof Outcome.Allocated
                ? List.of()
                : failing.options().stream()
                        .map(option -> new OptionInspector(before, failing, option).inspect(outcome))
                        .toList();
    }

    private Outcome allocate(List<ExplainedRequest> requests) {
        List<Claim> claims = ExplainedRequest.claims(requests);
        return world.allocate(node, claims, budget.search(devices, ExplainedRequest.devices(claims)));
    }

    private @Nullable List<Allocation> allocations(List<ExplainedRequest> requests) {
        return allocate(requests) instanceof Outcome.Allocated allocated ? allocated.allocations() : null;
    }

    /** Looks at what keeps one of the options of a request from being served after others. */
    private final class OptionInspector {
        private final List<ExplainedRequest> before;
        private final ExplainedRequest failing;
        private final ExactRequest option;
        private final String resultName;
        private final List<Claim> claims;
        private final int claim;
        private boolean isExhaustive = true;

        OptionInspector(List<ExplainedRequest> before, ExplainedRequest failing, ExactRequest option) {
            this.before = before;
            this.failing = failing;
            this.option = option;
            resultName = failing.resultName(option);
            claims = ExplainedRequest.claims(ExplainedRequest.append(before, failing.only(option, option.count())));
            claim = claims.size() - 1;
        }

        /** Serves the requests before it, then as much of the request as possible, and looks at what stops the other devices. */
        Finding inspect(Outcome outcome) {
            DiagnosisResult inspected = world.inspector().inspect(node, claims);
            if (inspected instanceof DiagnosisResult.Faulty faulty) {
                return faulty(faulty.fault());
            }
            isExhaustive = !(outcome instanceof Outcome.Aborted);
            Diagnosis inspection = mostServed(((DiagnosisResult.Open) inspected).inspection());
            var tally = new RefusalCounts();
            inspection.judge(claim, resultName).forEach(tally::add);
            budget.spend(devices);
            return finding(inspection, tally, outcome);
        }

        /** What can be had one after the other is nearly always all that can be had, and found at once. */
        private Diagnosis mostServed(Diagnosis untouched) {
            Diagnosis inspection = served(untouched, allocations(before));
            long wanted = inspection.wanted(claim, resultName);
            long found = inspection.pickFirst(claim, resultName, wanted);
            budget.spend(devices);
            if (option.isAll() || found >= wanted - 1 || !isExhaustive) {
                return inspection;
            }
            List<Allocation> better = best(found + 1, wanted - 1);
            return better == null ? inspection : served(again(), better);
        }

        /** Where so many devices can be had, fewer can be had as well. */
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
            return ((DiagnosisResult.Open) world.inspector().inspect(node, claims)).inspection();
        }

        private static Diagnosis served(Diagnosis inspection, @Nullable List<Allocation> allocations) {
            for (int i = 0; allocations != null && i < allocations.size(); i++) {
                inspection.pick(i, allocations.get(i));
            }
            return inspection;
        }

        private Finding faulty(RequestError fault) {
            var tally = new RefusalCounts();
            if (fault instanceof RequestError.SelectorFailed failed) {
                tally.add(new Diagnosis.Judged(failed.device(), new Refusal.SelectorFailed(failed.message())));
                return finding(0, 0, tally, null);
            }
            return fault instanceof RequestError.PoolUnusable
                    ? finding(0, 0, tally, null)
                    : finding(0, 0, tally, new Finding.Problem(Reason.of(fault), Phrases.fault(fault)));
        }

        private Finding finding(Diagnosis inspection, RefusalCounts tally, Outcome outcome) {
            long wanted = inspection.wanted(claim, resultName);
            long found = inspection.picked(claim, resultName);
            return finding(wanted, found, tally, problem(inspection, wanted - found, tally, outcome));
        }

        /** What is the matter if devices are not, or are so only because of something else. */
        private Finding.@Nullable Problem problem(
                Diagnosis inspection, long missing, RefusalCounts tally, Outcome outcome) {
            if (missing > inspection.room(claim)) {
                return new Finding.Problem(Reason.TooManyDevices, Phrases.tooManyTogether());
            }
            List<Finding.Stopped> stopped = tally.stopped();
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

        private Finding finding(long wanted, long found, RefusalCounts tally, Finding.@Nullable Problem problem) {
            return new Finding(
                    node.name(),
                    failing.claim().ref(),
                    failing.request().name(),
                    option,
                    failing.hasAlternatives(),
                    wanted,
                    found,
                    before.stream().map(ExplainedRequest::ref).toList(),
                    devices,
                    tally.stopped(),
                    tally.inTheWay(),
                    tally.taints(),
                    PoolProblems.of(world, node),
                    problem,
                    isExhaustive);
        }
    }
}
