package dev.fakegpu.evidence;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The questions in KEP-5963's production readiness review, its test plan and its graduation criteria, with the answers. */
final class Questions {

    private static final String COST = "[Cost](#what-groups-cost-kube-scheduler)";
    private static final String SIZE = "[Largest slices](#largest-slices)";
    private static final String ORDERS = "[The examples](#the-examples-in-all-orders-of-arrival)";
    private static final String SKEW = "[Version skew](#version-skew)";

    /**
     * A question.
     *
     * @param checks the identifiers of the checks that answer it
     * @param also another place with an answer, or why there is no answer
     */
    record Question(String topic, String text, List<String> checks, String also) {

        String answer(Evidence evidence) {
            var answers = new ArrayList<String>();
            if (!checks.isEmpty()) {
                answers.add(result(evidence));
            }
            if (!also.isEmpty()) {
                answers.add(also);
            }
            return String.join(" ", answers);
        }

        private String result(Evidence evidence) {
            List<Check> run = checks.stream()
                    .map(evidence::check)
                    .flatMap(Optional::stream)
                    .toList();
            String differing = run.stream()
                    .filter(check -> !check.agrees())
                    .map(check -> "[" + check.id() + "](#" + check.id() + ")")
                    .collect(Collectors.joining(", "));
            String agreeing = run.stream()
                    .filter(Check::agrees)
                    .map(check -> "`" + check.id() + "`")
                    .collect(Collectors.joining(", "));
            String missing =
                    checks.stream().filter(id -> evidence.check(id).isEmpty()).collect(Collectors.joining(", "));
            return (sentence("As the KEP says: ", agreeing)
                            + sentence("**Differs**: ", differing)
                            + sentence("**Not run**: ", missing))
                    .strip();
        }

        private static String sentence(String begin, String list) {
            return list.isEmpty() ? "" : begin + list + ". ";
        }
    }

    private Questions() {}

    static List<Question> all() {
        var all = new ArrayList<Question>();
        enablement(all);
        rollout(all);
        monitoring(all);
        scalability(all);
        troubleshooting(all);
        testPlan(all);
        graduation(all);
        return all;
    }

    private static void ask(List<Question> all, String topic, String text, String checks, String also) {
        all.add(new Question(topic, text, checks.isEmpty() ? List.of() : List.of(checks.split(" ")), also));
    }

    private static void enablement(List<Question> all) {
        String topic = "Feature Enablement and Rollback";
        ask(
                all,
                topic,
                "How can this feature be enabled / disabled in a live cluster?",
                "off-create on-stored partly-skipped rollback-strip",
                "");
        ask(
                all,
                topic,
                "Does enabling the feature change any default behavior?",
                "on-kinds upgrade-slices",
                ORDERS + " 1 and 2 have no groups, and were run with the feature on.");
        ask(
                all,
                topic,
                "Can the feature be disabled once it has been enabled?",
                "rollback-kept rollback-before rollback-refuse rollback-rewritten scheduler-off-rewritten",
                "");
        ask(
                all,
                topic,
                "What happens if we reenable the feature if it was previously rolled back?",
                "again-effective again-kept",
                "");
        ask(
                all,
                topic,
                "Are there any tests for feature enablement/disablement?",
                "",
                "Not answered by running: it asks about the source code.");
    }

    private static void rollout(List<Question> all) {
        String topic = "Rollout, Upgrade and Rollback Planning";
        ask(
                all,
                topic,
                "How can a rollout or rollback fail? Can it impact already running workloads?",
                "upgrade-kept rollback-kept again-kept partly-skipped partly-ungrouped partly-other-set partly-all rollout-used",
                SKEW + ".");
        ask(
                all,
                topic,
                "What specific metrics should inform a rollback?",
                "sli-filter sli-plugin",
                "Whether they are the right ones is not answered by running.");
        ask(
                all,
                topic,
                "Were upgrade and rollback tested? Was the upgrade->downgrade->upgrade path tested?",
                "upgrade-kept upgrade-slices upgrade-publish upgrade-vgpu upgrade-mig rollback-kept rollback-strip rollback-before rollback-refuse"
                        + " rollback-rewritten again-effective again-kept",
                "The gate of one version was switched.");
        ask(
                all,
                topic,
                "Is the rollout accompanied by any deprecations and/or removals?",
                "",
                "Not answered by running.");
    }

    private static void monitoring(List<Question> all) {
        String topic = "Monitoring Requirements";
        ask(
                all,
                topic,
                "How can an operator determine if the feature is in use by workloads?",
                "snapshot-recorded snapshot-field",
                "");
        ask(
                all,
                topic,
                "How can someone using this feature know that it is working for their instance?",
                "on-refused on-nothing on-message",
                "`FailedPrepareDynamicResources` comes from kubelets, and there are none here; in " + SKEW
                        + ", this project's simulated kubelet refuses.");
        ask(
                all,
                topic,
                "What are the reasonable SLOs for the enhancement?",
                "",
                "Not answered by running; " + COST + " has numbers.");
        ask(
                all,
                topic,
                "What are the SLIs an operator can use to determine the health of the service?",
                "sli-filter sli-plugin",
                "");
        ask(all, topic, "Are there any missing metrics?", "", "Not answered by running.");
        ask(
                all,
                "Dependencies",
                "Does this feature depend on any specific services running in the cluster?",
                "",
                "Only etcd, kube-apiserver and kube-scheduler ran.");
        ask(
                all,
                "Dependencies",
                "DRA Partitionable Devices enabled",
                "dependency-apiserver dependency-scheduler dependency-nothing dependency-pods",
                "");
    }

    private static void scalability(List<Question> all) {
        String topic = "Scalability";
        ask(
                all,
                topic,
                "Will enabling / using this feature result in any new API calls?",
                "",
                COST + ", requests of kube-scheduler for each pod.");
        ask(all, topic, "Will enabling / using this feature result in introducing new API types?", "on-kinds", "");
        ask(
                all,
                topic,
                "Will it result in any new calls to the cloud provider?",
                "",
                "Not answered by running: there is no cloud provider.");
        ask(
                all,
                topic,
                "Will it result in increasing size or count of the existing API objects?",
                "snapshot-field",
                SIZE + ".");
        ask(
                all,
                topic,
                "Will it result in increasing time taken by any operations covered by existing SLIs/SLOs?",
                "",
                COST + ".");
        ask(
                all,
                topic,
                "Will it result in non-negligible increase of resource usage in any components?",
                "",
                COST + ", CPU time and memory of kube-scheduler and kube-apiserver.");
        ask(
                all,
                topic,
                "Can it result in resource exhaustion of some node resources?",
                "",
                "Not answered by running: there are no kubelets.");
    }

    private static void troubleshooting(List<Question> all) {
        String topic = "Troubleshooting";
        ask(
                all,
                topic,
                "How does this feature react if the API server and/or etcd is unavailable?",
                "away-apiserver away-etcd",
                "");
        ask(
                all,
                topic,
                "What are other known failure modes? (inconsistent groups across ResourceSlice updates)",
                "snapshot-added snapshot-removed snapshot-gone snapshot-candidate",
                "");
        ask(all, topic, "What steps should be taken if SLOs are not being met?", "", "Not answered by running.");
    }

    private static void testPlan(List<Question> all) {
        String topic = "Test Plan";
        ask(
                all,
                topic,
                "Feature gate enablement/disablement round-trip: persisted when enabled, dropped on write when disabled",
                "on-stored off-create upgrade-publish rollback-strip",
                "");
        ask(all, topic, "Scheduler correctly records `compatibilityGroups` in claim status", "snapshot-recorded", "");
        ask(
                all,
                topic,
                "Scheduler rejects a claim when the only remaining candidate is incompatible; admits it when a compatible one exists on another node",
                "on-refused on-other-node",
                "");
        ask(
                all,
                topic,
                "Upgrade → downgrade → upgrade: allocations remain valid; re-enabling does not re-evaluate them",
                "rollback-kept again-kept",
                "");
        ask(
                all,
                topic,
                "Snapshot is authoritative over a mutated slice",
                "snapshot-added snapshot-removed snapshot-gone",
                "");
        ask(
                all,
                topic,
                "Field validation: max group-name length, max groups per counter consumption",
                "",
                SIZE + ". The KEP has no numbers.");
        ask(all, topic, "e2e: a MIG pod, then a vGPU pod, and the reverse; compatible devices", "", ORDERS + ".");
        ask(
                all,
                topic,
                "Performance tests",
                "",
                COST + ". [Kubernetes' own benchmark](../benchmarks/scheduler-perf.md) has a workload with groups.");
        upstreamCases(all);
    }

    /** The cases of test/integration/dra/compatibility_groups.go in the sources of Kubernetes 1.37. */
    private static void upstreamCases(List<Question> all) {
        String topic = "Upstream's integration tests";
        ask(all, topic, "`FieldDroppedWhenDisabled`", "off-create", "");
        ask(all, topic, "`FieldPersistedWhenEnabled`", "on-stored", "");
        ask(all, topic, "`CompatibleCoAllocation`", "on-one-claim-mig", "");
        ask(all, topic, "`IncompatibleDevicesUnschedulable`", "on-one-claim", "");
        ask(
                all,
                topic,
                "`IncompatibleRejectedCompatibleAdmitted`",
                "on-other-node",
                "There, one claim requests two devices, and only one of two nodes has two that fit together.");
    }

    private static void graduation(List<Question> all) {
        ask(all, "Graduation, Alpha", "API defined and implemented", "on-stored snapshot-field", "");
        ask(
                all,
                "Graduation, Alpha",
                "All relevant code is merged and placed behind a feature flag",
                "off-create off-pods partly-skipped",
                "");
        ask(
                all,
                "Graduation, Alpha",
                "Unit, integration and E2E tests implemented and passing reliably; driver-author documentation",
                "",
                "Not answered by running.");
        ask(
                all,
                "Graduation, Beta",
                "Validated with at least one production DRA driver",
                "",
                "Not answered here: the slices were written by this command, not by a driver.");
        ask(all, "Graduation, GA", "At least 1 release as beta", "", "Not answered by running.");
    }
}
