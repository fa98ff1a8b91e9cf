package dev.fakegpu.hardware.slices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.Device;
import dev.fakegpu.hardware.inventory.NodeInventories;
import dev.fakegpu.hardware.inventory.Specs;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that objects that are built once for all nodes of a FakeGpu equal those that would be built for each node. */
class AlikeNodesTest {

    private static final int SPECS = 40;

    @Test
    void nodesOfRandomSpecsEqualSeparatePlans() {
        var random = new RandomSpec(2);
        for (int i = 0; i < SPECS; i++) {
            String yaml = random.next();
            var spec = Specs.spec(yaml);
            if (Specs.PLANNER.check(spec, "fake").isEmpty()) {
                assertSame(spec, yaml);
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> nodesOfTheLargestSpecsEqualSeparatePlans() {
        return LargestSpecs.all().entrySet().stream()
                .map(entry ->
                        DynamicTest.dynamicTest(entry.getKey(), () -> assertSame(entry.getValue(), entry.getKey())));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "model: LATEST-GPU-MODEL",
                "health: [{state: GpuLost, devices: {nodes: [node-2], gpus: [1]}}]",
                "taints: [{key: example.com/a, effect: NoSchedule, devices: {nodes: [node-1]}}]",
                "partitions: {mig: {static: [{gpus: [0], devices: {1g.5gb: 7}}]}}"
            })
    void nodesThatDifferInMoreEqualSeparatePlans(String fields) {
        String model = fields.startsWith("model") ? "" : "\nmodel: A100-SXM4-40GB";
        assertSame(Specs.spec(fields + model + "\ncount: 2\nnodes: {names: [node-1, node-2]}"), fields);
    }

    @Test
    void devicesShareAllButTheirUuids() {
        var spec = Specs.spec(
                "{model: A100-SXM4-40GB, nodes: {names: [node-1, node-2]}, partitions: {mig: {profiles: [All]}}}");
        var nodes = new NodeInventories(Specs.PLANNER.plan(spec, "fake"));

        Device one = nodes.on("node-1").devices().get(1);
        Device other = nodes.on("node-2").devices().get(1);

        assertThat(one.capacity()).isSameAs(other.capacity());
        assertThat(one.consumesCounters()).isSameAs(other.consumesCounters());
        assertThat(one.taints()).isSameAs(other.taints());
        assertThat(one.attributes().get("parentUUID"))
                .isNotEqualTo(other.attributes().get("parentUUID"));
    }

    private static void assertSame(FakeGpuSpec spec, String description) {
        var plan = Specs.PLANNER.plan(spec, "fake");
        var nodes = new NodeInventories(plan);
        for (String node : new String[] {"node-1", "node-2", ""}) {
            assertThat(nodes.on(node)).as(description).isEqualTo(plan.on(node).published(spec));
        }
    }
}
