package dev.fakegpu.e2e.versionskew;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.Slice;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.testing.ControlPlaneOptions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests an API server that silently drops compatibility groups, as API servers with the gate off do. */
class OldApiServerE2E {

    private static final String SPEC = "{nodes: {simulated: {count: 2}}, model: A100-SXM4-40GB, count: 8,"
            + " partitions: {mig: {profiles: [All]}, vgpu: {types: [All]}}}";

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.with(
                    ControlPlaneOptions.withControllerManager().featureGates("DRADeviceCompatibilityGroups=false"))
            .withoutOperator();

    @Test
    void droppedGroupsAreReportedAndNotRewritten() {
        try (var operator = cluster.startOperator(Map.of());
                var fakeGpus = cluster.fakeGpus()) {
            // When
            fakeGpus.create("dropped", SPEC);
            var stored = fakeGpus.awaitReady("dropped");

            // Then
            assertThat(stored)
                    .condition("CompatibilityGroupsServed")
                    .isFalse()
                    .hasReason("FieldDropped")
                    .hasMessageContaining("DRADeviceCompatibilityGroups");
            assertThat(fakeGpus.events("dropped", "CompatibilityGroupsDropped")).isNotEmpty();
            assertThat(groups(fakeGpus.slices("dropped"))).isEmpty();
            assertThat(fakeGpus.slices("dropped")).extracting(Slice::generation).containsOnly(1L);

            // When
            fakeGpus.create("looked-at", "{nodes: {simulated: {count: 1}}, model: L40S}");
            fakeGpus.awaitReady("looked-at");
            fakeGpus.patchSpec("dropped", "{\"count\": 4}");
            fakeGpus.awaitReady("dropped");

            // Then
            assertThat(fakeGpus.slices("dropped"))
                    .as("the first generation, and one for the change")
                    .extracting(Slice::generation)
                    .containsOnly(2L);
        }
    }

    private static List<String> groups(List<Slice> slices) {
        return slices.stream()
                .flatMap(slice -> slice.devices().stream())
                .flatMap(device -> device.consumesCounters().stream())
                .flatMap(consumption -> consumption.compatibilityGroups().stream())
                .toList();
    }
}
