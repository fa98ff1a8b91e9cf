package dev.fakegpu.evidence;

import java.util.List;
import java.util.Optional;

/**
 * All observations of one run.
 *
 * @param failures the parts that could not be run, and why
 */
record Evidence(
        Setup setup,
        List<Check> checks,
        List<SkewCell> skew,
        List<ArrivalOrder> orders,
        Optional<Slices> slices,
        Optional<Cost> cost,
        List<String> failures) {

    /** @param versions the versions of the programs that ran */
    record Setup(List<String> versions, String machine) {}

    /** The maximum size of slices. */
    record Slices(List<SliceLimit> limits, List<LargestSlices.Name> names, LargestSlices.Weight weight) {}

    /** The cost of groups for kube-scheduler. */
    record Cost(int nodes, List<SchedulerCost.Turn> turns) {}

    /** A run that consists of checks only. */
    static Evidence ofChecks(Setup setup, Findings findings) {
        return new Evidence(
                setup,
                findings.checks(),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                findings.failures());
    }

    List<Check> differing() {
        return checks.stream().filter(check -> !check.agrees()).toList();
    }

    Optional<Check> check(String id) {
        return checks.stream().filter(check -> check.id().equals(id)).findFirst();
    }
}
