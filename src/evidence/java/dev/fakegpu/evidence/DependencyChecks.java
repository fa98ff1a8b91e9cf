package dev.fakegpu.evidence;

import dev.fakegpu.evidence.Check.Topic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Tests what KEP-5963 says about the feature that it depends on: without DRAPartitionableDevices, there are no counters. */
final class DependencyChecks {

    private static final String CAVEATS = "Notes/Constraints/Caveats";
    private static final String GATES =
            "--feature-gates=DRADeviceCompatibilityGroups=true,DRAPartitionableDevices=false";

    private DependencyChecks() {}

    /** @param scheduler the program kube-scheduler, beside which kube-apiserver is */
    static void refusals(Path scheduler, Findings findings) {
        refusal("dependency-apiserver", scheduler.resolveSibling("kube-apiserver"), findings);
        refusal("dependency-scheduler", scheduler, findings);
    }

    private static void refusal(String id, Path program, Findings findings) {
        String said = said(program);
        findings.add(new Check(
                id,
                Topic.DEPENDENCY,
                CAVEATS + "; PRR, Dependencies",
                "This feature depends on `DRAPartitionableDevices`: %s does not start with only this feature on."
                        .formatted(program.getFileName()),
                "does not start",
                said.contains("depends on features that are disabled") ? "does not start" : "starts",
                "%s %s\n# %s\n"
                        .formatted(program.getFileName(), GATES, said.strip().replace("\n", "\n# "))));
    }

    /** What the program prints. It has no other flags, so it ends in any case. */
    private static String said(Path program) {
        try (var said = new ProcessBuilder(program.toString(), GATES)
                .redirectErrorStream(true)
                .start()
                .getInputStream()) {
            return new String(said.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void pods(Lab lab, Findings findings) {
        var experiment = lab.begin(GateChecks.migAndVgpu());
        findings.add(experiment.check(
                "dependency-nothing",
                Topic.DEPENDENCY,
                CAVEATS,
                "`consumesCounters` entries only exist when partitionable devices are in use; a cluster without them has nothing to attach"
                        + " the field to.",
                "0 counter sets, 0 devices that consume counters",
                experiment.storedCounters()));
        List.of("mig", "vgpu").forEach(type -> experiment.pod(type, type));
        findings.add(experiment.check(
                "dependency-pods",
                Topic.DEPENDENCY,
                CAVEATS,
                "Without the counters, nothing connects the devices of a GPU, so each is allocated independently of the others.",
                "mig allocated, vgpu allocated",
                experiment.outcomes("mig", "vgpu")));
    }
}
