package dev.fakegpu.evidence;

import static dev.fakegpu.evidence.Experiment.ALLOCATED;
import static dev.fakegpu.evidence.Experiment.WAITS;
import static dev.fakegpu.evidence.GroupChecks.CHANGES;
import static dev.fakegpu.evidence.GroupChecks.INTEGRATION;
import static dev.fakegpu.evidence.Hardware.GPU_0;
import static dev.fakegpu.evidence.Partition.grouped;
import static dev.fakegpu.evidence.Partition.plain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.evidence.Check.Topic;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Tests the statements of KEP-5963 about the groups that an allocation records. */
final class SnapshotChecks {

    private final Lab lab;
    private final Findings findings;

    SnapshotChecks(Lab lab, Findings findings) {
        this.lab = lab;
        this.findings = findings;
    }

    void run() {
        recorded();
        changed(
                "snapshot-added",
                "The driver adds a group to a device in use. The scheduler evaluates a candidate against the groups recorded at allocation,"
                        + " as if the slice were unchanged.",
                grouped(GPU_0, 20, "mig", "vgpu"),
                "vgpu",
                WAITS);
        changed(
                "snapshot-removed",
                "The driver removes the groups of a device in use. The decision is the same as if the slice were unchanged.",
                plain(GPU_0, 20),
                "mig",
                ALLOCATED);
        deviceGone();
        candidate();
    }

    private void recorded() {
        var experiment = lab.begin(GateChecks.migAndVgpu());
        experiment.pod("mig", "mig");
        JsonNode groups = experiment
                .allocation("mig")
                .path("devices")
                .path("results")
                .path(0)
                .path("compatibilityGroups");
        findings.add(experiment.check(
                "snapshot-recorded",
                Topic.SNAPSHOT,
                "API; " + INTEGRATION,
                "The scheduler records the device's groups for each counter set in the claim's allocation result.",
                "{\"gpu-0-counters\":[\"mig\"]}",
                groups.isMissingNode() ? "nothing recorded" : groups.toString()));
        findings.add(new Check(
                "snapshot-field",
                Topic.SNAPSHOT,
                "API",
                "`DeviceRequestAllocationResult` has a field `compatibilityGroups`.",
                "has the field",
                resultFields().contains("compatibilityGroups") ? "has the field" : "does not have the field",
                "kubectl explain resourceclaims.status.allocation.devices.results.compatibilityGroups\n"));
    }

    private List<String> resultFields() {
        try {
            JsonNode schema = Serialization.jsonMapper()
                    .readTree(lab.client().raw("/openapi/v3/apis/resource.k8s.io/v1"))
                    .path("components")
                    .path("schemas")
                    .path("io.k8s.api.resource.v1.DeviceRequestAllocationResult")
                    .path("properties");
            if (schema.isMissingNode()) {
                throw new IllegalStateException("the OpenAPI document has no DeviceRequestAllocationResult");
            }
            var fields = new ArrayList<String>();
            schema.fieldNames().forEachRemaining(fields::add);
            return fields;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void changed(String id, String says, Partition.Draw changedTo, String later, String expected) {
        var experiment = lab.begin(GateChecks.migAndVgpu());
        experiment.pod("first", "mig");
        experiment.publish(Hardware.gpu(
                Partition.of("mig-0", "mig", changedTo),
                Partition.of("mig-1", "mig", grouped(GPU_0, 20, "mig")),
                Partition.of("vgpu-0", "vgpu", grouped(GPU_0, 50, "vgpu"))));
        experiment.pod("second", later);
        findings.add(experiment.check(
                id,
                Topic.SNAPSHOT,
                INTEGRATION + "; PRR, Troubleshooting",
                says,
                "first allocated, second " + expected,
                experiment.outcomes("first", "second")));
    }

    private void deviceGone() {
        var experiment = lab.begin(GateChecks.migAndVgpu());
        experiment.pod("first", "mig");
        experiment.publish(Hardware.gpu(Partition.of("vgpu-0", "vgpu", grouped(GPU_0, 50, "vgpu"))));
        experiment.pod("second", "vgpu");
        findings.add(experiment.check(
                "snapshot-gone",
                Topic.SNAPSHOT,
                CHANGES + "; PRR, Troubleshooting",
                "The driver removes a device in use from the slice. Its recorded groups still count.",
                "first allocated, second waits",
                experiment.outcomes("first", "second")));
    }

    private void candidate() {
        var experiment = lab.begin(GateChecks.migAndVgpu());
        experiment.pod("first", "mig");
        experiment.publish(Hardware.gpu(
                Partition.of("mig-0", "mig", grouped(GPU_0, 20, "mig")),
                Partition.of("vgpu-0", "vgpu", grouped(GPU_0, 50, "mig", "vgpu"))));
        experiment.pod("second", "vgpu");
        findings.add(experiment.check(
                "snapshot-candidate",
                Topic.SNAPSHOT,
                "PRR, Troubleshooting",
                "New allocations evaluate against the current slice for candidates.",
                "first allocated, second allocated",
                experiment.outcomes("first", "second")));
    }
}
