package dev.fakegpu.evidence;

import java.util.List;
import java.util.Optional;

/**
 * Everything that one run observed.
 *
 * @param failures what could not be run, and why
 */
record Evidence(
        Setup setup,
        List<Check> checks,
        List<SkewCell> skew,
        List<ArrivalOrder> orders,
        Optional<Slices> slices,
        Optional<Cost> cost,
        List<String> failures) {

    /** @param versions of the programs that ran */
    record Setup(List<String> versions, String machine) {}

    /** How large slices may be. */
    record Slices(List<SliceLimit> limits, List<LargestSlices.Name> names, LargestSlices.Weight weight) {}

    /** What kube-scheduler needed. */
    record Cost(int nodes, List<SchedulerCost.Turn> turns) {}

    List<Check> differing() {
        return checks.stream().filter(check -> !check.agrees()).toList();
    }

    Optional<Check> check(String id) {
        return checks.stream().filter(check -> check.id().equals(id)).findFirst();
    }
}
