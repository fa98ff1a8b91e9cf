package dev.fakegpu.operator.publish.pool;

import static dev.fakegpu.testing.TestObjects.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.Node;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeSettingsTest {

    private static final Node NODE =
            node("{name: n}", "status: {capacity: {memory: 16Gi}, allocatable: {memory: 16Gi}}");

    @Test
    void memoryForHugePagesIsNotAllocatable() {
        Node node = NodeSettings.apply(NODE, simulated("{hugepages-2Mi: 2Gi, hugepages-1Gi: 4Gi}"));

        assertThat(new TreeMap<>(node.getStatus().getCapacity()))
                .hasToString("{hugepages-1Gi=4Gi, hugepages-2Mi=2Gi, memory=16Gi}");
        assertThat(new TreeMap<>(node.getStatus().getAllocatable()))
                .hasToString("{hugepages-1Gi=4Gi, hugepages-2Mi=2Gi, memory=10Gi}");
        assertThat(NodeSettings.apply(node, simulated("{hugepages-2Mi: 2Gi, hugepages-1Gi: 4Gi}")))
                .isEqualTo(node);
    }

    @Test
    void allocatableMemoryIsNotNegative() {
        Node node = NodeSettings.apply(NODE, simulated("{hugepages-2Mi: 32Gi, memory: 8Gi}"));

        assertThat(node.getStatus().getAllocatable().get("memory")).hasToString("0");
    }

    @Test
    void memoryComesBackWithTheLastHugePages() {
        Node node = NodeSettings.apply(NODE, simulated("{hugepages-2Mi: 2Gi}"));

        assertThat(NodeSettings.apply(node, simulated("{}"))
                        .getStatus()
                        .getAllocatable()
                        .get("memory"))
                .hasToString("16Gi");
    }

    /** As a kubelet reports every size of huge pages that the kernel has. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DGX-H100    | {}                                   | 0 hugepages-1Gi, 0 hugepages-2Mi, 2Ti memory",
                "MI300X      | {}                                   | 0 hugepages-1Gi, 0 hugepages-2Mi, 1536Gi memory",
                "GB200-NVL72 | {}                                   | 0 hugepages-16Gi, 0 hugepages-2Mi, 0 hugepages-512Mi, 960Gi memory",
                "HGX-B200    | {hugepages-2Mi: 1Ti}                 | 0 hugepages-1Gi, 1Ti hugepages-2Mi, 1Ti memory",
                "HGX-B200    | {hugepages-2Mi: \"0\", memory: 2Ti} | 0 hugepages-1Gi, 0 hugepages-2Mi, 2Ti memory"
            })
    void aMachineHasTheHugePagesOfItsKernel(String profile, String capacity, String allocatable) {
        var spec = TestObjects.fakeGpu(
                        "{name: gpus}",
                        "spec: {topology: {profile: %s}, nodes: {simulated: {count: 1, capacity: %s}}}"
                                .formatted(profile, capacity))
                .getSpec();

        Node node = NodeSettings.apply(NODE, NodeSettings.simulated(spec));

        assertThat(new TreeMap<>(node.getStatus().getAllocatable())
                        .entrySet().stream()
                                .filter(each -> !each.getKey().equals("cpu"))
                                .map(each -> each.getValue() + " " + each.getKey()))
                .containsExactly(allocatable.split(", "));
        assertThat(NodeSettings.apply(node, NodeSettings.simulated(spec))).isEqualTo(node);
    }

    private static NodesSpec.Simulated simulated(String capacity) {
        var spec = TestObjects.fakeGpu(
                        "{name: gpus}", "spec: {nodes: {simulated: {count: 1, capacity: " + capacity + "}}}")
                .getSpec();
        return spec.nodes().simulated();
    }
}
