package dev.fakegpu.evidence;

import static dev.fakegpu.evidence.Experiment.ALLOCATED;
import static dev.fakegpu.evidence.Experiment.WAITS;
import static dev.fakegpu.evidence.Hardware.GPU_0;
import static dev.fakegpu.evidence.Partition.grouped;
import static dev.fakegpu.evidence.Partition.plain;

import dev.fakegpu.evidence.Check.Topic;
import java.util.List;

/** Tests the statements of KEP-5963 about the feature gate: off, on, switched on, switched off, and switched on again. */
final class GateChecks {

    private static final String SKEW = "Version Skew Strategy";
    private static final String DOWNGRADE = "Upgrade / Downgrade Strategy, Downgrade";
    private static final String UPGRADE = "Upgrade / Downgrade Strategy, Upgrade";
    private static final String ENABLEMENT = "PRR, Feature Enablement and Rollback";
    private static final String BOTH = "mig allocated, vgpu allocated";
    private static final String ONE = "mig allocated, vgpu waits";

    private final Lab lab;
    private final Findings findings;

    GateChecks(Lab lab, Findings findings) {
        this.lab = lab;
        this.findings = findings;
    }

    static Hardware migAndVgpu() {
        return Hardware.gpu(
                Partition.of("mig-0", "mig", grouped(GPU_0, 20, "mig")),
                Partition.of("mig-1", "mig", grouped(GPU_0, 20, "mig")),
                Partition.of("vgpu-0", "vgpu", grouped(GPU_0, 50, "vgpu")));
    }

    static Hardware withoutGroups() {
        return Hardware.gpu(
                Partition.of("mig-0", "mig", plain(GPU_0, 20)),
                Partition.of("mig-1", "mig", plain(GPU_0, 20)),
                Partition.of("vgpu-0", "vgpu", plain(GPU_0, 50)));
    }

    private static Hardware migAndPlain() {
        return Hardware.gpu(
                Partition.of("mig-0", "mig", grouped(GPU_0, 20, "mig")),
                Partition.of("plain-0", "plain", plain(GPU_0, 20)));
    }

    /**
     * Runs the checks, starting with the feature off.
     *
     * @param whileOn additional checks while the feature is on
     */
    void run(Runnable whileOn) {
        off();
        Experiment held = beginHeld();
        Experiment same = beginHeld();
        Experiment partly = partlyOn(held, same);
        lab.gates(true, true, held, same, partly);
        rolledOut(partly);
        upgraded(held, same);
        findings.attempt("checks with the feature on", whileOn);
        rollback();
    }

    private Experiment beginHeld() {
        var experiment = lab.begin(migAndVgpu());
        experiment.pod("mig", "mig");
        return experiment;
    }

    // --- off

    private void off() {
        findings.apiKinds("off", lab);
        var experiment = lab.begin(migAndVgpu());
        findings.add(experiment.check(
                "off-create",
                Topic.OFF,
                ENABLEMENT,
                "With its gate off, kube-apiserver strips `compatibilityGroups` from ResourceSlices on writes.",
                "no groups",
                experiment.storedGroups()));
        experiment.pod("mig", "mig");
        experiment.pod("vgpu", "vgpu");
        findings.add(experiment.check(
                "off-pods",
                Topic.OFF,
                SKEW + ", Pre-KEP",
                "The scheduler sees no constraints and allocates as before this KEP.",
                BOTH,
                experiment.outcomes("mig", "vgpu")));
    }

    // --- on in kube-apiserver only

    private Experiment partlyOn(Experiment held, Experiment same) {
        lab.gates(true, false, held, same);
        var partly = lab.begin(migAndVgpu());
        findings.add(partly.check(
                "partly-skipped",
                Topic.SCHEDULER_OFF,
                UPGRADE,
                "Enabled in the API server, disabled in the scheduler: the scheduler ignores the devices instead of doing incorrect"
                        + " allocations.",
                WAITS,
                partly.pod("mig", "mig")));
        ungrouped("partly-ungrouped", "on the counter set of a device that does", migAndPlain());
        ungrouped(
                "partly-other-set",
                "on another counter set of the same pool",
                Hardware.gpus(
                        Partition.of("mig-0", "mig", grouped(GPU_0, 20, "mig")),
                        Partition.of("plain-1", "plain", plain("gpu-1-counters", 20))));
        var all = lab.begin(migAndPlain());
        findings.add(all.check(
                "partly-all",
                Topic.SCHEDULER_OFF,
                SKEW + ", Devices skipped",
                "The scheduler excludes any device that declares `compatibilityGroups` from consideration; so a request with"
                        + " `allocationMode: All` gets the others.",
                ALLOCATED,
                all.pod("all", "", List.of(Manifests.all("r0", Hardware.GPU)))));
        return partly;
    }

    private void ungrouped(String id, String where, Hardware hardware) {
        var experiment = lab.begin(hardware);
        findings.add(experiment.check(
                id,
                Topic.SCHEDULER_OFF,
                SKEW + ", Devices skipped",
                "Devices that do not declare the field are scheduled normally; here one " + where + ".",
                ALLOCATED,
                experiment.pod("plain", "plain")));
    }

    private void rolledOut(Experiment partly) {
        findings.add(partly.check(
                "rollout-used",
                Topic.SCHEDULER_OFF,
                UPGRADE,
                "The devices get used as soon as the feature gets enabled also in the scheduler.",
                ALLOCATED,
                partly.becomesAllocated("mig")));
    }

    // --- off, then on

    private void upgraded(Experiment held, Experiment same) {
        findings.add(held.check(
                "upgrade-kept",
                Topic.UPGRADE,
                "PRR, Rollout, Upgrade and Rollback Planning",
                "Already-running workloads are not affected.",
                "mig allocated [mig-0]",
                held.outcomes("mig") + " " + held.devices("mig")));
        findings.add(held.check(
                "upgrade-slices",
                Topic.UPGRADE,
                UPGRADE,
                "No ResourceSlice leverages the new field until drivers are updated.",
                "no groups",
                held.storedGroups()));
        held.publish(migAndVgpu());
        findings.add(held.check(
                "upgrade-publish",
                Topic.UPGRADE,
                ENABLEMENT,
                "With its gate on, kube-apiserver persists `compatibilityGroups`, also in a slice that was stored without it.",
                "mig-0 [\"mig\"], mig-1 [\"mig\"], vgpu-0 [\"vgpu\"]",
                held.storedGroups()));
        held.pod("vgpu", "vgpu");
        findings.add(held.check(
                "upgrade-vgpu",
                Topic.UPGRADE,
                "API; Scheduler Changes",
                "A device that was allocated without groups has none recorded, so a device with groups is never co-allocatable with it; here"
                        + " one of another group.",
                ONE,
                held.outcomes("mig", "vgpu")));
        same.publish(migAndVgpu());
        same.pod("mig-later", "mig");
        findings.add(same.check(
                "upgrade-mig",
                Topic.UPGRADE,
                "API; Scheduler Changes",
                "A device that was allocated without groups has none recorded, so a device with groups is never co-allocatable with it; here"
                        + " one to which the slice now gives the same group.",
                "mig allocated, mig-later waits",
                same.outcomes("mig", "mig-later")));
    }

    // --- on, then off, then on

    private void rollback() {
        var untouched = beginHeld();
        var touched = beginHeld();
        var rewritten = beginHeld();
        var removed = lab.begin(migAndPlain());
        removed.pod("mig", "mig");
        lab.gates(true, false, untouched, touched, rewritten, removed);
        schedulerOff(removed);
        lab.gates(false, false, untouched, touched, rewritten);
        off(untouched, touched, rewritten);
        lab.gates(true, true, untouched, touched, rewritten);
        onAgain(untouched, rewritten);
    }

    private void schedulerOff(Experiment removed) {
        removed.publish(Hardware.gpu(
                Partition.of("mig-0", "mig", plain(GPU_0, 20)), Partition.of("plain-0", "plain", plain(GPU_0, 20))));
        removed.pod("plain", "plain");
        findings.add(removed.check(
                "scheduler-off-rewritten",
                Topic.SCHEDULER_OFF,
                DOWNGRADE + "; " + SKEW + ", Devices skipped",
                "A scheduler with its gate off prevents consumption of counter sets with groups assigned to them, known from claim statuses,"
                        + " until such claims are deleted manually; also when the driver has removed the groups from the slice.",
                "mig allocated, plain waits",
                removed.outcomes("mig", "plain")));
    }

    private void off(Experiment untouched, Experiment touched, Experiment rewritten) {
        findings.add(untouched.check(
                "rollback-kept",
                Topic.ROLLBACK,
                SKEW + ", Downgrade with in-flight allocations",
                "Devices already allocated under the new rules remain allocated across a downgrade.",
                "mig allocated [mig-0]",
                untouched.outcomes("mig") + " " + untouched.devices("mig")));
        touched.touch();
        findings.add(touched.check(
                "rollback-strip",
                Topic.ROLLBACK,
                ENABLEMENT,
                "With its gate off, kube-apiserver strips `compatibilityGroups` from ResourceSlices on writes.",
                "no groups",
                touched.storedGroups()));
        untouched.pod("vgpu", "vgpu");
        String observed = untouched.outcomes("mig", "vgpu");
        findings.add(untouched.check(
                "rollback-before",
                Topic.ROLLBACK,
                ENABLEMENT + "; " + SKEW + ", Downgrade with in-flight allocations",
                "Rolling back reverts the cluster to its pre-enablement behavior; the scheduler will not consider `compatibilityGroups` for"
                        + " future allocations.",
                BOTH,
                observed));
        findings.add(untouched.check(
                "rollback-refuse",
                Topic.ROLLBACK,
                DOWNGRADE,
                "After a downgrade to the alpha release in 1.37, the scheduler refuses to allocate devices that depend on the feature.",
                ONE,
                observed));
        rewritten.publish(withoutGroups());
        rewritten.pod("vgpu", "vgpu");
        findings.add(rewritten.check(
                "rollback-rewritten",
                Topic.ROLLBACK,
                DOWNGRADE + "; Driver Responsibilities",
                "Once the driver has removed the groups, future allocations do not take them into consideration.",
                BOTH,
                rewritten.outcomes("mig", "vgpu")));
    }

    private void onAgain(Experiment untouched, Experiment rewritten) {
        untouched.pod("vgpu-again", "vgpu");
        findings.add(untouched.check(
                "again-effective",
                Topic.ROLLBACK,
                ENABLEMENT,
                "After re-enablement, existing `compatibilityGroups` in ResourceSlices become effective again.",
                "mig allocated, vgpu-again waits",
                untouched.outcomes("mig", "vgpu-again")));
        rewritten.publish(migAndVgpu());
        findings.add(rewritten.check(
                "again-kept",
                Topic.ROLLBACK,
                "Test Plan, Integration tests",
                "Re-enabling enforcement does not re-evaluate existing allocations, even if they exclude each other.",
                BOTH,
                rewritten.outcomes("mig", "vgpu")));
    }
}
