package dev.fakegpu.e2e.kwok;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.e2e.kwok.KwokProcess.Stages;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import dev.fakegpu.e2e.support.PageRun;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests pods on nodes of KWOK: the operator prepares their claims, and KWOK maintains the nodes and runs pods without claims. */
class KwokE2E {

    private static final String FAILED = "FailedPrepareDynamicResources";
    private static final String DRIVER = "kwok.example.com";
    private static final String SPEC =
            "{driver: %s, model: L40S, nodes: {selector: {matchLabels: {kwok: e2e}}, preparation: Simulated}%s}";
    private static final String BROKEN = ", faults: [{name: down}]";

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withControllerManager();

    @RegisterExtension
    final FakeGpuFixture fakeGpus = cluster.fakeGpus();

    @AutoClose
    private final ClusterScenario scenario = cluster.scenario(AllocatorName.Companion);

    @Test
    void podRunsOnceItsClaimsArePreparedAndKwokRunsTheOthers() {
        try (var kwok = KwokProcess.start(cluster.controlPlane(), Stages.PATCHED)) {
            // Given
            publish("");

            // When
            podWithClaim("pod");
            scenario.pod("other", List.of(), UnaryOperator.identity());

            // Then
            scenario.awaitRunning("pod");
            assertThat(isPrepared("pod")).isTrue();
            scenario.awaitRunning("other");
            assertThat(scenario.storedPod("other").getStatus().getPodIP())
                    .as("KWOK gives addresses")
                    .isNotNull();
            assertThat(scenario.events("other", "Started")).isEmpty();

            // When
            scenario.deletePod("pod");

            // Then
            scenario.await(() -> assertThat(scenario.running()).containsExactly("other"));
            scenario.await(() -> assertThat(isPrepared("pod")).isFalse());
            scenario.await(() -> assertThat(Readiness.isNodeReady(storedNode())).isTrue());
            end(kwok);
        }
    }

    @Test
    void podDoesNotRunWhileItsPreparationFails() {
        try (var kwok = KwokProcess.start(cluster.controlPlane(), Stages.PATCHED)) {
            // Given
            publish(BROKEN);

            // When
            podWithClaim("pod");
            scenario.pod("later", List.of(), UnaryOperator.identity());

            // Then
            scenario.messages("pod", FAILED)
                    .satisfies(messages -> assertThat(messages)
                            .contains(
                                    "Failed to prepare dynamic resources: prepare dynamic resources: NodePrepareResources failed for"
                                            + " ResourceClaim pod: injected fault \"down\""));
            scenario.awaitWaiting("pod", "ContainerCreating");
            scenario.awaitRunning("later"); // KWOK has seen both
            assertThat(scenario.storedPod("pod").getStatus().getPhase()).isEqualTo("Pending");

            // When
            fakeGpus.patchSpec("kwok", "{\"faults\":null}");

            // Then
            scenario.awaitRunning("pod");
            end(kwok);
        }
    }

    /** Nothing delays KWOK, so only the claim and events show a failure. */
    @Test
    void withKwoksOwnStagesPodsRunAtOnceAndTheirClaimsArePreparedAfterwards() {
        try (var kwok = KwokProcess.start(cluster.controlPlane(), Stages.OF_KWOK)) {
            // Given
            publish(BROKEN);

            // When
            podWithClaim("pod");

            // Then
            scenario.awaitEvent("pod", FAILED);
            scenario.awaitRunning("pod");
            assertThat(isPrepared("pod")).isFalse();

            // When
            fakeGpus.patchSpec("kwok", "{\"faults\":null}");

            // Then
            scenario.await(() -> assertThat(isPrepared("pod")).isTrue());

            // When
            scenario.deletePod("pod");

            // Then
            scenario.await(() -> assertThat(scenario.storedPods()).isEmpty());
            scenario.await(() -> assertThat(isPrepared("pod")).isFalse());
            end(kwok);
        }
    }

    /** This happens after the operator was removed: here no FakeGpu says that it prepares devices on the node. */
    @Test
    void kwokRemovesPodsWithClaimsThatAreNotPreparedHere() {
        try (var kwok = KwokProcess.start(cluster.controlPlane(), Stages.PATCHED)) {
            // Given
            fakeGpus.create(KwokProcess.node("kwok-0", Map.of("kwok", "e2e")));
            scenario.pod(
                    "pod",
                    List.of("missing"),
                    pod -> pod.editSpec()
                            .withNodeName("kwok-0")
                            .withTerminationGracePeriodSeconds(1L)
                            .endSpec());

            // When
            scenario.deletePod("pod");

            // Then
            scenario.await(() -> assertThat(scenario.storedPods()).isEmpty());
            kwok.assertAlive();
        }
    }

    @Test
    void commandsOfThePageWork(@TempDir Path dir) {
        try (var kwok = KwokProcess.start(cluster.controlPlane(), Stages.OF_KWOK)) {
            fakeGpus.create(KwokProcess.node("kwok-0", Map.of("type", "kwok")));
            PageRun.of("docs/kwok.md")
                    .with("KUBECONFIG", cluster.controlPlane().kubeconfig().toString())
                    .succeeds(dir);
            fakeGpus.awaitReady("kwok-gpus");
            kwok.assertAlive();
        } finally {
            fakeGpus.delete("kwok-gpus");
            fakeGpus.await(() -> assertThat(fakeGpus.storedSlices("kwok-gpus")).isEmpty());
        }
    }

    /** Runs without KWOK, which would maintain a node that has its annotation, regardless of anything else on the node. */
    @Test
    void nodeWithAKubeletIsLeftAlone() {
        // Given
        var real = new NodeBuilder(KwokProcess.node("real", Map.of("kwok", "e2e")))
                .withNewStatus()
                .withNewNodeInfo()
                .withContainerRuntimeVersion("containerd://2.2.1")
                .endNodeInfo()
                .endStatus()
                .build();
        fakeGpus.create(real);
        fakeGpus.create(KwokProcess.node("kwok-0", Map.of("kwok", "e2e")));
        fakeGpus.create("kwok", SPEC.formatted(DRIVER, ""));

        // Then
        fakeGpus.await(() -> assertThat(fakeGpus.stored("kwok"))
                .condition("PreparationSimulated")
                .hasStatus("False")
                .hasMessageContaining("real has a kubelet, which reports the container runtime"));

        // When
        podOn("real");
        podOn("kwok-0");

        // Then
        scenario.awaitRunning("on-kwok-0");
        scenario.awaitAllocated("on-real");
        assertThat(scenario.storedPod("on-real").getStatus().getPhase()).isEqualTo("Pending");
        assertThat(isPrepared("on-real")).isFalse();

        // When: the node looks as if it no longer had a kubelet
        cluster.client()
                .nodes()
                .withName("real")
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"status\":{\"nodeInfo\":{\"containerRuntimeVersion\":\"\"}}}");

        // Then
        fakeGpus.awaitCondition("kwok", "PreparationSimulated", "True");
        scenario.awaitRunning("on-real");
        scenario.clear();
    }

    /** Pods without claims end only while KWOK runs. */
    private void end(KwokProcess kwok) {
        scenario.clear();
        kwok.assertAlive();
    }

    /** Creates a pod on a node without a scheduler; its claim is allocated. */
    private void podOn(String node) {
        String name = "on-" + node;
        scenario.claim(name, DRIVER);
        scenario.pod(
                name, List.of(name), pod -> pod.editSpec().withNodeName(node).endSpec());
    }

    private void publish(String more) {
        fakeGpus.create(KwokProcess.node("kwok-0", Map.of("kwok", "e2e")));
        fakeGpus.create("kwok", SPEC.formatted(DRIVER, more));
        fakeGpus.awaitReady("kwok");
        fakeGpus.awaitCondition("kwok", "PreparationSimulated", "True");
        scenario.await(() -> assertThat(Readiness.isNodeReady(storedNode())).isTrue());
    }

    private void podWithClaim(String name) {
        scenario.claim(name, DRIVER);
        scenario.pod(name, name);
    }

    private boolean isPrepared(String name) {
        var claim = scenario.storedClaim(name);
        return !scenario.devices(name).isEmpty()
                && scenario.devices(name).stream().allMatch(device -> DeviceStatuses.isPrepared(claim, device));
    }

    private static Node storedNode() {
        return cluster.client().nodes().withName("kwok-0").require();
    }
}
