package dev.fakegpu.hardware.slices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.hardware.inventory.field.SpecProblem;
import java.util.List;
import org.junit.jupiter.api.Test;

class SliceRendererTest {

    private final SliceRenderer renderer = new SliceRenderer(Specs.PLANNER);

    @Test
    void rendersAPoolForEachNode() {
        // When
        List<Slice> slices = render("{nodes: {names: [node-1, node-2]}, model: L40S, count: 2}");

        // Then
        assertThat(slices).extracting(slice -> slice.pool().name()).containsExactly("node-1/sample", "node-2/sample");
        assertThat(slices)
                .allSatisfy(slice ->
                        assertThat(slice.devices()).extracting(Device::name).containsExactly("gpu-0", "gpu-1"));
    }

    @Test
    void rendersWhatIsPublishedAndNotWhatTheHardwareCanDo() {
        // When
        List<Slice> slices = render(
                "{nodes: {names: [node-1]}, model: A30, compatibility: None, allocator: Companion, partitions: {vfio: true}}");

        // Then
        Device gpu = slices.get(1).devices().get(0);
        assertThat(gpu.consumesCounters().get(0).compatibilityGroups()).isEmpty();
        assertThat(gpu.taints()).extracting(taint -> taint.key()).containsExactly("fakegpu.dev/allocator");
    }

    @Test
    void rendersCounterSetsBeforeTheDevicesThatConsumeFromThem() {
        // When
        List<Slice> slices = render("{nodes: {all: true}, model: A30, partitions: {vfio: true}}");

        // Then
        assertThat(slices).hasSize(2);
        assertThat(slices.get(0).counterSets()).hasSize(1);
        assertThat(slices.get(0).devices()).isEmpty();
        assertThat(slices.get(1).devices()).hasSize(2);
        assertThat(slices).allSatisfy(slice -> {
            assertThat(slice.pool().name()).isEqualTo("sample");
            assertThat(slice.nodes()).isEqualTo(new NodeSelection.AllNodes());
        });
    }

    @Test
    void checksWhatOnlyTheSchemaChecksInACluster() {
        assertThat(problems("{model: L40S}"))
                .containsExactly(
                        "spec.nodes is missing; allowed: exactly one of names, selector, simulated, all and nodeSelector");
        assertThat(problems("{nodes: {all: true, names: [node-1]}, model: L40S}"))
                .singleElement()
                .asString()
                .startsWith("spec.nodes: \"2\" ");
        assertThat(problems("{nodes: {all: true}, model: L40S}")).isEmpty();
    }

    @Test
    void checksWhatTheOperatorChecks() {
        assertThat(problems("{nodes: {all: true}, model: L40X}"))
                .singleElement()
                .asString()
                .contains("did you mean \"L40S\"?");
    }

    private List<String> problems(String yaml) {
        return renderer.check("sample", Specs.spec(yaml)).stream()
                .map(SpecProblem::sentence)
                .toList();
    }

    private List<Slice> render(String yaml) {
        FakeGpuSpec spec = Specs.spec(yaml);
        assertThat(renderer.check("sample", spec)).isEmpty();
        return renderer.slices("sample", spec, PoolLocations.of("sample", spec.nodes(), List.of()));
    }
}
