package dev.fakegpu.operator.schedule.bind;

import static dev.fakegpu.testing.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.NodeAllocatableUse;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.wire.NodeAllocatableUses;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the status that the companion writes for pods that it places. */
class PodWriterTest {

    private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
    private final MemoryCluster cluster = new MemoryCluster(time);
    private final PodWriter writer = new PodWriter(cluster, cluster.stores().pods(), time);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void recordedUseOfNodeResourcesIsReplaced(boolean takesSome) {
        // Given
        Pod pod = cluster.create(pod("{namespace: ns, name: pod}", "spec: {}"));
        writer.recordUses(NodeAllocatableUses.in(pod, List.of(cpu("8"))));
        List<NodeAllocatableUse> decided = takesSome ? List.of(cpu("2")) : List.of();

        // When
        writer.recordUses(NodeAllocatableUses.in(pod, decided));

        // Then
        assertThat(NodeAllocatableUses.of(stored())).isEqualTo(decided);
    }

    private Pod stored() {
        return cluster.stores().pods().get("ns", "pod").orElseThrow();
    }

    private static NodeAllocatableUse cpu(String amount) {
        return new NodeAllocatableUse(
                "claim", List.of("main"), new TreeMap<>(Map.of("cpu", Quantity.parse(amount))), new TreeMap<>());
    }
}
