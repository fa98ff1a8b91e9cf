package dev.fakegpu.hardware.inventory;

import static dev.fakegpu.hardware.inventory.Specs.device;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the location of GPUs: NUMA nodes, buses and fabrics. */
class GpuTopologyTest {

    /** NVIDIA's driver does the same in {@code addNumaNodeAttribute}. */
    @Test
    void theNumaNodeIsAListIfAskedFor() {
        Inventory node = Specs.plan(Specs.spec("{model: A30, count: 2, topology: {numaNodeFormat: List},"
                + " partitions: {mig: {profiles: [4g.24gb]}, vfio: true}}"));

        assertThat(node.devices())
                .extracting(Device::name, device -> device.attributes().get("resource.kubernetes.io/numaNode"))
                .containsExactly(
                        tuple("gpu-0", AttributeValue.ints(List.of(0L))),
                        tuple("gpu-0-mig-4g24gb-0-0", AttributeValue.ints(List.of(0L))),
                        tuple("gpu-vfio-0", AttributeValue.ints(List.of(0L))),
                        tuple("gpu-1", AttributeValue.ints(List.of(1L))),
                        tuple("gpu-1-mig-4g24gb-0-0", AttributeValue.ints(List.of(1L))),
                        tuple("gpu-vfio-1", AttributeValue.ints(List.of(1L))));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8})
    void theFirstHalfOfTheGpusIsOnNumaNodeZero(int count) {
        List<Device> gpus = Specs.plan(Specs.spec("{model: L40S, count: %d}".formatted(count)))
                .devices();

        assertThat(gpus.stream().map(gpu -> gpu.attributes().get("resource.kubernetes.io/numaNode")))
                .startsWith(AttributeValue.of(0))
                .endsWith(AttributeValue.of(count == 1 ? 0 : 1))
                .filteredOn(AttributeValue.of(1)::equals)
                .hasSize(count / 2);
    }

    /** NVIDIA's driver does the same in {@code addFabricManagerAttributes}, for whole GPUs and VFIO devices. */
    @Test
    void gpusOfAFabricHaveTheirModuleAndTheirPartitions() {
        Inventory node = Specs.plan(Specs.spec("{model: H100-80GB-HBM3, count: 8, topology: {fabricPartitions: true},"
                + " partitions: {mig: {profiles: [7g.80gb]}, vfio: true}}"));

        assertThat(fabric(node, "gpu-0"))
                .isEqualTo("{gpuModuleID=5, partition1=11, partition2=5, partition4=2, partition8=0}");
        assertThat(fabric(node, "gpu-vfio-0")).isEqualTo(fabric(node, "gpu-0"));
        assertThat(fabric(node, "gpu-0-mig-7g80gb-0-0")).isEqualTo("{}");
        assertThat(IntStream.range(0, 8).mapToObj(gpu -> fabric(node, "gpu-" + gpu)))
                .doesNotHaveDuplicates()
                .last()
                .isEqualTo("{gpuModuleID=4, partition1=10, partition2=4, partition4=1, partition8=0}");
    }

    @Test
    void withoutTheChoiceNoDeviceSaysAnythingOfAFabric() {
        assertThat(Specs.plan(Specs.everything("H100-80GB-HBM3", 8)).devices())
                .allSatisfy(device -> assertThat(device.attributes())
                        .doesNotContainKeys("gpuModuleID", "partition1", "partition2", "partition4", "partition8"));
    }

    private static String fabric(Inventory node, String device) {
        var attributes =
                new TreeMap<String, AttributeValue>(device(node, device).attributes());
        attributes.keySet().removeIf(name -> !name.matches("gpuModuleID|partition\\d+"));
        return attributes.toString();
    }

    @Test
    void gpusKeepTheirUniqueIdentity() {
        var spec = Specs.spec("{model: L40S, count: 64}");
        List<Device> node1 = Specs.PLANNER.plan(spec, "one", "node-1").devices();
        List<Device> node2 = Specs.PLANNER.plan(spec, "one", "node-2").devices();
        List<Device> other = Specs.PLANNER.plan(spec, "two", "node-1").devices();

        assertThat(Specs.PLANNER.plan(spec, "one", "node-1").devices()).isEqualTo(node1);
        assertThat(Stream.of(node1, node2, other)
                        .flatMap(List::stream)
                        .map(gpu -> gpu.attributes().get("uuid")))
                .doesNotHaveDuplicates()
                .allSatisfy(
                        uuid -> assertThat(uuid.toString()).matches("GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"));
        assertThat(Stream.of(node1, other).flatMap(List::stream).map(GpuTopologyTest::busId))
                .doesNotHaveDuplicates()
                .allSatisfy(id -> assertThat(id).matches("[0-9a-f]{4}:[0-9a-f]{2}:00\\.0"));
    }

    private static String busId(Device gpu) {
        return String.valueOf(gpu.attributes().get("resource.kubernetes.io/pciBusID"));
    }
}
