package dev.fakegpu.e2e.kwok;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.e2e.kwok.KwokProcess.Stages;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import dev.fakegpu.testing.Deletion;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests a thousand nodes of KWOK with a GPU each, and pods on some of them. */
@Tag("long")
class ManyNodesE2E {

    private static final int NODES = 1000;
    private static final int PODS = 200;
    private static final String DRIVER = "many.example.com";
    private static final Map<String, String> LABELS = Map.of("kwok", "many");

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withControllerManager();

    @RegisterExtension
    final FakeGpuFixture fakeGpus = cluster.fakeGpus();

    @AutoClose
    private final ClusterScenario scenario = cluster.scenario(AllocatorName.Companion);

    @Test
    void podsRunOnNodesThatStayReady() {
        try (var kwok = KwokProcess.start(cluster.controlPlane(), Stages.PATCHED)) {
            // Given
            IntStream.range(0, NODES)
                    .parallel()
                    .mapToObj(index -> KwokProcess.node("many-" + index, LABELS))
                    .forEach(node -> cluster.client().resource(node).create());
            scenario.await(() -> assertThat(readyNodes()).isEqualTo(NODES));
            fakeGpus.create("many", """
                    {driver: %s, model: L40S, nodes: {selector: {matchLabels: {kwok: many}}, preparation: Simulated},
                     faults: [{name: down, devices: {nodes: [many-0]}}]}
                    """.formatted(DRIVER));
            fakeGpus.awaitReady("many");
            // The FakeGpu is also Ready with the nodes that the operator knows so far.
            scenario.await(() -> assertThat(FakeGpuFixture.condition(fakeGpus.stored("many"), "PreparationSimulated")
                            .getMessage())
                    .isEqualTo("the operator prepares claims on all 1000 node(s)"));

            // When
            scenario.claim("broken", DRIVER);
            scenario.pod(
                    "broken",
                    List.of("broken"),
                    pod -> pod.editSpec()
                            .addToNodeSelector("kubernetes.io/hostname", "many-0")
                            .endSpec());
            scenario.awaitAllocated("broken");
            IntStream.range(0, PODS).parallel().forEach(index -> podWithClaim("pod-" + index));

            // Then
            scenario.await(() -> assertThat(scenario.running()).hasSize(PODS));
            scenario.awaitEvent("broken", "FailedPrepareDynamicResources", "injected fault \"down\"");
            assertThat(scenario.running()).doesNotContain("broken");
            var claims = scenario.storedClaims();
            assertThat(claims.stream().filter(ManyNodesE2E::isPrepared)).hasSize(PODS);
            scenario.assertPossible();
            scenario.await(() -> assertThat(readyNodes()).isEqualTo(NODES)); // some heartbeats of KWOK may be late
            kwok.assertAlive();
            removeNodes();
        }
    }

    private void removeNodes() {
        scenario.clear();
        Deletion.ofEach(cluster.client(), nodes());
    }

    private void podWithClaim(String name) {
        scenario.claim(name, DRIVER);
        scenario.pod(name, name);
    }

    private static long readyNodes() {
        return nodes().stream().filter(Readiness::isNodeReady).count();
    }

    private static List<Node> nodes() {
        return cluster.client().nodes().withLabels(LABELS).list().getItems();
    }

    private static boolean isPrepared(ResourceClaim claim) {
        var devices = Allocations.devices(claim);
        return !devices.isEmpty() && devices.stream().allMatch(device -> DeviceStatuses.isPrepared(claim, device));
    }
}
