package dev.fakegpu.cluster.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.fit.AdvertisedTwice.ServedResource;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.testing.TestObjects;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that hardware is reported if both a device plugin and a driver offer it, and only then. */
class AdvertisedTwiceTest {

    private static final String NVIDIA = "gpu.nvidia.com";

    /** The classes in {@code deployments/helm} of NVIDIA's driver and of dra-example-driver. */
    private static final List<ServedResource> CLASSES = List.of(
            new ServedResource("nvidia.com/gpu", List.of("device.driver == 'gpu.nvidia.com'")),
            new ServedResource("example.com/gpu", List.of("device.driver == 'gpu.example.com'")));

    @ParameterizedTest
    @CsvSource({
        "nvidia.com/gpu,8,gpu.nvidia.com,8",
        "nvidia.com/gpu,1,gpu.nvidia.com,1",
        "nvidia.com/gpu,32,gpu.nvidia.com,8",
        "nvidia.com/gpu.shared,40,gpu.nvidia.com,4",
        "nvidia.com/mig-1g.5gb,7,gpu.nvidia.com,19",
        "nvidia.com/mig-1g.10gb,4,gpu.nvidia.com,19",
        "nvidia.com/mig-3g.40gb,2,gpu.nvidia.com,1",
        "nvidia.com/mig-7g.80gb,8,gpu.nvidia.com,8",
        "nvidia.com/mig-2g.20gb,3,gpu.nvidia.com,8",
        "nvidia.com/mig-1g.5gb.shared,14,gpu.nvidia.com,7",
        "nvidia.com/mig-1g.5gb.me,1,gpu.nvidia.com,7",
        "amd.com/gpu,8,gpu.amd.com,8",
        "amd.com/gpu,1,gpu.amd.com,4",
        "gpu.intel.com/i915,2,gpu.intel.com,2",
        "gpu.intel.com/xe,4,gpu.intel.com,4",
        "habana.ai/gaudi,8,gaudi.intel.com,8",
        "google.com/tpu,4,tpu.google.com,4",
        "aws.amazon.com/neuron,16,neuron.aws.com,16",
        "aws.amazon.com/neuroncore,32,neuron.aws.com,16",
        "example.com/gpu,2,gpu.example.com,9",
        "example.com/gpu,1,gpu.example.com,1",
        "example.com/gpu.shared,20,gpu.example.com,2",
    })
    void namesOfResourceAndDriverTell(String resource, int amount, String driver, int devices) {
        assertThat(in(Map.of("n1", Map.of(resource, amount)), List.of(), slice("n1", driver, 1, devices, "")))
                .containsExactly(new AdvertisedTwice("n1", resource, BigDecimal.valueOf(amount), driver, devices));
    }

    @Test
    void aClassThatServesTheResourceIdentifiesTheDevices() {
        var classes = List.of(new ServedResource("nvidia.com/gpu", List.of("device.driver == 'gpu.example.com'")));

        assertThat(in(Map.of("n1", Map.of("nvidia.com/gpu", 8)), classes, slice("n1", "gpu.example.com", 1, 8, "")))
                .singleElement()
                .satisfies(found -> assertThat(found.sentence())
                        .isEqualTo(
                                "node n1 offers the same hardware twice: 8 nvidia.com/gpu by a device plugin, and 8 devices of driver"
                                        + " gpu.example.com in ResourceSlices, so that two pods can get the same device; switch one of them off on"
                                        + " this node"));
    }

    @Test
    void onlyNodesWithBothAreNamed() {
        assertThat(in(
                        Map.of(
                                "n1",
                                Map.of("nvidia.com/gpu", 8),
                                "n2",
                                Map.of("nvidia.com/gpu", 8),
                                "n3",
                                Map.of("cpu", 8)),
                        CLASSES,
                        slice("n2", NVIDIA, 1, 8, ""),
                        slice("n3", NVIDIA, 1, 8, "")))
                .extracting(AdvertisedTwice::node)
                .containsExactly("n2");
    }

    @Test
    void theTaintOfTheCompanionDoesNotCount() {
        assertThat(in(
                        Map.of("n1", Map.of("nvidia.com/gpu", 1)),
                        List.of(),
                        slice(
                                "n1",
                                NVIDIA,
                                1,
                                1,
                                ", taints: [{key: fakegpu.dev/allocator, value: companion, effect: NoSchedule}]")))
                .hasSize(1);
    }

    /** Tests the layouts that the vendors describe, and others with a device plugin. */
    @ParameterizedTest
    @CsvSource({
        "compute domains beside the plugin, nvidia.com/gpu, 8, compute-domain.nvidia.com",
        "the plugin is gone and the kubelet keeps its resource, nvidia.com/gpu, 0, gpu.nvidia.com",
        "network cards of the same vendor, nvidia.com/hostdev, 4, gpu.nvidia.com",
        "RDMA, rdma/hca_shared_devices_a, 63, gpu.nvidia.com",
        "GPUs of another vendor, amd.com/gpu, 8, gpu.nvidia.com",
        "monitoring of all GPUs, gpu.intel.com/i915_monitoring, 1, gpu.intel.com",
        "passthrough to virtual machines, nvidia.com/GA100_A100_PCIE_40GB, 1, gpu.nvidia.com",
        "SR-IOV beside GPUs, intel.com/sriov_netdevice, 8, gpu.intel.com",
        "the example driver, cpu, 64, gpu.example.com",
        "network interfaces, nvidia.com/gpu, 8, dra.net",
        "CPUs, nvidia.com/gpu, 8, dra.cpu",
    })
    void otherLayoutsAreInOrder(String why, String resource, int amount, String driver) {
        assertThat(in(Map.of("n1", Map.of(resource, amount)), CLASSES, slice("n1", driver, 1, 2, "")))
                .as(why)
                .isEmpty();
    }

    /** KEP-5004: one class serves the resource on nodes without the device plugin, and the plugin serves it on others. */
    @Test
    void extendedResourcesOfBothKindsOfNodesAreInOrder() {
        assertThat(in(
                        Map.of("plugin", Map.of("nvidia.com/gpu", 8), "dra", Map.of("nvidia.com/gpu", 0)),
                        CLASSES,
                        slice("dra", NVIDIA, 1, 8, "")))
                .isEmpty();
    }

    @Test
    void devicesThatCannotBeAllocatedDoNotCount() {
        var node = Map.of("n1", Map.of("nvidia.com/gpu", 8));

        assertThat(in(
                        node,
                        CLASSES,
                        slice("n1", NVIDIA, 1, 8, ", taints: [{key: nvidia.com/plugin, effect: NoSchedule}]")))
                .isEmpty();
        assertThat(in(node, CLASSES, slice("n1", NVIDIA, 1, 8, ", attributes: {type: {string: vfio}}")))
                .isEmpty();
        assertThat(in(node, CLASSES, slice("n1", NVIDIA, 1, 8, ""), slice("n1", NVIDIA, 2, 0, "")))
                .isEmpty();
    }

    private static List<AdvertisedTwice> in(
            Map<String, Map<String, Integer>> nodes, List<ServedResource> classes, Slice... slices) {
        Map<String, Map<String, BigDecimal>> allocatable = nodes.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        node -> node.getValue().entrySet().stream()
                                .collect(Collectors.toMap(
                                        Map.Entry::getKey, each -> BigDecimal.valueOf(each.getValue())))));
        return AdvertisedTwice.in(allocatable, List.of(slices), classes);
    }

    /** @param device additional fields of each device */
    private static Slice slice(String node, String driver, int generation, int devices, String device) {
        String all = IntStream.range(0, devices)
                .mapToObj(number -> "{name: gpu-%d%s}".formatted(number, device))
                .collect(Collectors.joining(", "));
        return SliceReader.read(TestObjects.slice(
                "{name: slice}",
                "spec: {driver: %1$s, nodeName: %2$s, pool: {name: %2$s, generation: %3$d, resourceSliceCount: 1}, devices: [%4$s]}"
                        .formatted(driver, node, generation, all)));
    }
}
