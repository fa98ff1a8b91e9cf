package dev.fakegpu.operator.publish.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.hardware.slices.PoolTarget;
import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolNamesTest {

    private static final String BY_NODE = ", pool: {name: \"{node}\"}";

    @ParameterizedTest
    @CsvSource({", n1/a", "{node}, n1", "gpus-{node}.{fakegpu}, gpus-n1.a"})
    void templateDeterminesPoolNames(String template, String name) {
        var fakeGpu = fakeGpu("a", 1, template == null ? "" : ", pool: {name: \"%s\"}".formatted(template));

        var pool = pool(fakeGpu, "n1");

        assertThat(pool).isEqualTo(new PoolId("gpu.example.com", name));
        assertThat(PoolNames.couldPublish(fakeGpu, pool)).isTrue();
        assertThat(PoolNames.couldPublish(fakeGpu, new PoolId("other.example.com", name)))
                .isFalse();
    }

    @Test
    void oldestFakeGpuGetsASharedPoolName() {
        var older = fakeGpu("z", 1, BY_NODE);
        var younger = fakeGpu("a", 2, BY_NODE);
        var elsewhere = fakeGpu("b", 0, BY_NODE.replace("{node}", "x-{node}"));
        var all = List.of(younger, older, elsewhere);

        assertThat(PoolOwnership.taken(younger, targets(younger, "n1", "n2"), all, nodes("n1", "n2")))
                .isEqualTo(Map.of(
                        new PoolId("gpu.example.com", "n1"), "z",
                        new PoolId("gpu.example.com", "n2"), "z"));
        assertThat(PoolOwnership.taken(older, targets(older, "n1", "n2"), all, nodes("n1", "n2")))
                .isEmpty();
    }

    @Test
    void fakeGpuOnOtherNodesDoesNotTakeAPoolName() {
        var older = fakeGpu("z", 1, BY_NODE);
        var younger = fakeGpu("a", 2, BY_NODE);

        assertThat(PoolOwnership.taken(younger, targets(younger, "n3"), List.of(younger, older), nodes("n1", "n3")))
                .isEmpty();
    }

    private static PoolId pool(FakeGpu fakeGpu, String node) {
        return targets(fakeGpu, node).get(0).pool();
    }

    private static List<PoolTarget> targets(FakeGpu fakeGpu, String... nodes) {
        return List.of(nodes).stream()
                .map(node -> PoolTarget.of(
                        fakeGpu.getSpec(), fakeGpu.getMetadata().getName(), new NodeSelection.NodeName(node)))
                .toList();
    }

    private static List<Node> nodes(String... names) {
        return List.of(names).stream()
                .map(name -> new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .toList();
    }

    private static FakeGpu fakeGpu(String name, int second, String more) {
        return TestObjects.fakeGpu(
                "{name: %s, creationTimestamp: '2026-01-01T00:00:0%dZ'}".formatted(name, second),
                "spec: {model: L40S, nodes: {names: [n1, n2]}%s}".formatted(more));
    }
}
