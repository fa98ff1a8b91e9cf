package dev.fakegpu.evidence;

import static dev.fakegpu.evidence.Experiment.ALLOCATED;
import static dev.fakegpu.evidence.Experiment.WAITS;
import static dev.fakegpu.evidence.Hardware.GPU_0;
import static dev.fakegpu.evidence.Partition.grouped;
import static dev.fakegpu.evidence.Partition.plain;

import dev.fakegpu.evidence.Check.Topic;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Tests the statements of KEP-5963 about devices with groups while the feature is on. */
final class GroupChecks {

    /** The check that is only about the wording of a message. */
    static final String MESSAGE = "on-message";

    private static final String API = "API, CompatibilityGroups Assignment";
    static final String CHANGES = "Scheduler Changes";
    private static final String REQUESTS = "Multi-Request Claims and Device Constraints";
    static final String INTEGRATION = "Test Plan, Integration tests";
    private static final String GPU_1 = "gpu-1-counters";
    private final Lab lab;
    private final Findings findings;

    GroupChecks(Lab lab, Findings findings) {
        this.lab = lab;
        this.findings = findings;
    }

    void run() {
        findings.apiKinds("on", lab);
        findings.attempt("what is stored", this::stored);
        findings.attempt("devices without groups", this::withoutGroups);
        findings.attempt("rolling intersection", this::rolling);
        findings.attempt("counter sets", this::counterSets);
        findings.attempt("a device on two counter sets", this::spanning);
        findings.attempt("one claim", this::oneClaim);
        findings.attempt("another node", this::otherNode);
        findings.attempt("counters", this::counters);
        findings.attempt("release", this::release);
        findings.attempt("snapshot", new SnapshotChecks(lab, findings)::run);
        findings.attempt("manifests", new KepManifestChecks(lab, findings)::run);
    }

    private void stored() {
        var experiment = lab.begin(GateChecks.migAndVgpu());
        findings.add(experiment.check(
                "on-stored",
                Topic.ON,
                "PRR, Feature Enablement and Rollback",
                "With its gate on, kube-apiserver persists `compatibilityGroups`.",
                "mig-0 [\"mig\"], mig-1 [\"mig\"], vgpu-0 [\"vgpu\"]",
                experiment.storedGroups()));
        experiment.pod("mig", "mig");
        experiment.pod("vgpu", "vgpu");
        findings.add(experiment.check(
                "on-refused",
                Topic.ON,
                CHANGES,
                "A candidate is admitted only if it shares a group with the devices on its counter set.",
                "mig allocated, vgpu waits",
                experiment.outcomes("mig", "vgpu")));
        findings.add(experiment.check(
                "on-nothing",
                Topic.ON,
                "Examples, Example 3",
                "The scheduler rejects the allocation; nothing reaches preparation.",
                "no allocation",
                experiment.allocation("vgpu").isMissingNode() ? "no allocation" : "an allocation"));
        String text = "could not allocate all claims";
        findings.add(experiment.check(
                MESSAGE,
                Topic.ON,
                "Examples, Example 3",
                "The pod becomes Unschedulable with the generic event “" + text + "”.",
                text,
                reasonOfNode(experiment.refusal("vgpu"))));
    }

    /** The part of the message about the only node that has such devices, which differs from the part about other nodes. */
    static String reasonOfNode(String message) {
        String reasons = message.replaceFirst("^.*? are available: ", "").replaceFirst("\\. .*|\\.$", "");
        return Arrays.stream(reasons.split(", "))
                .map(reason -> reason.replaceFirst("^\\d+ ", ""))
                .filter(reason -> !reason.contains("affinity"))
                .collect(Collectors.joining(", "));
    }

    // --- the predicate

    private void withoutGroups() {
        var first = Hardware.gpu(
                Partition.of("mig-0", "mig", grouped(GPU_0, 20, "mig")),
                Partition.of("plain-0", "plain", plain(GPU_0, 20)));
        findings.add(pair(
                "on-plain-mig",
                first,
                "A device with no groups is never co-allocatable with one that has.",
                "plain",
                "mig",
                WAITS));
        findings.add(pair(
                "on-mig-plain",
                first,
                "A device that has groups is never co-allocatable with one that has none.",
                "mig",
                "plain",
                WAITS));
        var empty = Hardware.gpu(
                Partition.of("empty-0", "empty", grouped(GPU_0, 20)),
                Partition.of("plain-0", "plain", plain(GPU_0, 20)));
        findings.add(pair(
                "on-empty", empty, "An unset field and an empty list are equivalent.", "empty", "plain", ALLOCATED));
    }

    private Check pair(String id, Hardware hardware, String says, String first, String second, String expected) {
        var experiment = lab.begin(hardware);
        experiment.pod(first, first);
        experiment.pod(second, second);
        return experiment.check(
                id,
                Topic.ON,
                API,
                says,
                "%s allocated, %s %s".formatted(first, second, expected),
                experiment.outcomes(first, second));
    }

    private void rolling() {
        var experiment = lab.begin(Hardware.gpu(
                Partition.of("a-0", "a", grouped(GPU_0, 20, "a")),
                Partition.of("ab-0", "ab", grouped(GPU_0, 20, "a", "b")),
                Partition.of("b-0", "b", grouped(GPU_0, 20, "b"))));
        List.of("a", "ab", "b").forEach(type -> experiment.pod(type, type));
        findings.add(experiment.check(
                "on-rolling",
                Topic.ON,
                CHANGES,
                "A candidate needs a group in the intersection of all that are allocated, not only one in common with each.",
                "a allocated, ab allocated, b waits",
                experiment.outcomes("a", "ab", "b")));
    }

    private void counterSets() {
        var experiment = lab.begin(Hardware.gpus(
                Partition.of("mig-0", "mig", grouped(GPU_0, 20, "mig")),
                Partition.of("vgpu-1", "vgpu", grouped(GPU_1, 50, "vgpu"))));
        experiment.pod("mig", "mig");
        experiment.pod("vgpu", "vgpu");
        findings.add(experiment.check(
                "on-other-set",
                Topic.ON,
                API,
                "Devices that share no counter set are never compared, even in the same slice.",
                "mig allocated, vgpu allocated",
                experiment.outcomes("mig", "vgpu")));
    }

    private void spanning() {
        var hardware = Hardware.gpus(
                Partition.of("mig-0", "mig-0", grouped(GPU_0, 20, "mig")),
                Partition.of("mig-1", "mig-1", grouped(GPU_1, 20, "mig")),
                Partition.of("both", "both", grouped(GPU_0, 20, "mig"), grouped(GPU_1, 20, "vgpu")));
        for (String held : List.of("mig-0", "mig-1")) {
            var experiment = lab.begin(hardware);
            experiment.pod(held, held);
            experiment.pod("both", "both");
            findings.add(experiment.check(
                    "on-spanning-" + held,
                    Topic.ON,
                    CHANGES,
                    held.equals("mig-0")
                            ? "A device may declare different groups for each counter set; here those of the set in use fit."
                            : "A candidate that consumes from several counter sets must be admitted on each; here it fits on one.",
                    "%s allocated, both %s".formatted(held, held.equals("mig-0") ? ALLOCATED : WAITS),
                    experiment.outcomes(held, "both")));
        }
    }

    private void oneClaim() {
        var hardware = Hardware.example3();
        var apart = lab.begin(hardware);
        findings.add(apart.check(
                "on-one-claim",
                Topic.ON,
                REQUESTS,
                "Two devices for one claim on the same counter set are subject to the same check.",
                WAITS,
                apart.pod("both", "mig-1g", "vgpu")));
        var together = lab.begin(hardware);
        findings.add(together.check(
                "on-one-claim-mig",
                Topic.ON,
                REQUESTS,
                "Two devices for one claim on the same counter set are subject to the same check; here they share a group.",
                ALLOCATED,
                together.pod("both", "mig-1g", "mig-1g")));
        var backtracking = lab.begin(hardware);
        backtracking.pod(
                "any-and-vgpu",
                "",
                List.of(Manifests.any("any", Hardware.GPU), Manifests.request("vgpu", Hardware.GPU, "vgpu")));
        findings.add(backtracking.check(
                "on-backtracking",
                Topic.ON,
                REQUESTS,
                "If a candidate is rejected for compatibility, the allocator backtracks and tries other combinations: first any device, then"
                        + " a vGPU.",
                "any-and-vgpu allocated [gpu-0-vgpu-0, gpu-0-vgpu-1]",
                backtracking.outcomes("any-and-vgpu") + " " + backtracking.devices("any-and-vgpu")));
        String match = "constraints: [{requests: [r0, r1], distinctAttribute: %s/type}], ".formatted(Hardware.GPU);
        var constraint = lab.begin(hardware);
        findings.add(constraint.check(
                "on-constraint",
                Topic.ON,
                REQUESTS,
                "A constraint of the claim and groups must both hold: neither relaxes the other. Here the constraint requires different types.",
                WAITS,
                constraint.pod(
                        "different",
                        match,
                        List.of(Manifests.any("r0", Hardware.GPU), Manifests.any("r1", Hardware.GPU)))));
    }

    private void otherNode() {
        var experiment = lab.begin(GateChecks.migAndVgpu(), 2);
        experiment.pod("mig", "mig");
        experiment.pod("vgpu", "vgpu");
        boolean same = experiment.node("mig").equals(experiment.node("vgpu"));
        findings.add(experiment.check(
                "on-other-node",
                Topic.ON,
                INTEGRATION,
                "The scheduler admits a claim when a compatible candidate exists on another node.",
                "mig allocated, vgpu allocated, on different nodes",
                experiment.outcomes("mig", "vgpu") + (same ? ", on the same node" : ", on different nodes")));
    }

    private void counters() {
        var experiment = lab.begin(Hardware.gpu(
                Partition.of("vgpu-0", "vgpu", grouped(GPU_0, 50, "vgpu")),
                Partition.of("vgpu-1", "vgpu", grouped(GPU_0, 50, "vgpu")),
                Partition.of("vgpu-2", "vgpu", grouped(GPU_0, 50, "vgpu"))));
        List.of("a", "b", "c").forEach(pod -> experiment.pod(pod, "vgpu"));
        findings.add(experiment.check(
                "on-counters",
                Topic.ON,
                "Non-Goals",
                "Capacity math on shared counters continues to apply unchanged: three compatible devices of 50 on a set of 100.",
                "a allocated, b allocated, c waits",
                experiment.outcomes("a", "b", "c")));
    }

    private void release() {
        var experiment = lab.begin(GateChecks.migAndVgpu());
        experiment.pod("mig", "mig");
        experiment.pod("vgpu", "vgpu");
        experiment.release("mig");
        findings.add(experiment.check(
                "on-release",
                Topic.ON,
                "Summary",
                "Another scheme can be used once all existing allocations are released.",
                ALLOCATED,
                experiment.becomesAllocated("vgpu")));
    }
}
