package dev.fakegpu.e2e.publish;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.Labels;
import dev.fakegpu.api.RegisteredDrivers;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import dev.fakegpu.kube.client.ObjectClient;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests how pools follow changes of nodes: named, selected, and simulated ones. */
class NodesE2E {

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withControllerManager();

    @RegisterExtension
    final FakeGpuFixture fakeGpus = cluster.fakeGpus();

    /** On nodes that are not simulated, the kubelet needs a plugin, and the operator only sees its pod. */
    @Test
    void aConditionNamesNodesWithoutPreparation() {
        // Given
        fakeGpus.createNode("unprepared", Map.of());
        fakeGpus.create("unprepared", "{nodes: {names: [unprepared]}, model: L40S}");
        var without = fakeGpus.awaitCondition("unprepared", "KubeletPluginReady", "False");
        assertThat(without)
                .condition("KubeletPluginReady")
                .hasReason("NoKubeletPlugin")
                .hasMessageContaining("on unprepared", "kubectl apply -k config/kubelet-plugin");
        assertThat(fakeGpus.awaitReady("unprepared"))
                .condition("Ready")
                .hasMessageContaining("see the condition KubeletPluginReady");

        // When
        cluster.controlPlane().applyFile("config/kubelet-plugin/namespace.yaml");
        var plugin = cluster.client()
                .resource(new PodBuilder(pod("plugin", "unprepared"))
                        .editMetadata()
                        .withNamespace("fakegpu-kubelet-plugin")
                        .addToLabels("app.kubernetes.io/name", "fakegpu-kubelet-plugin")
                        .endMetadata()
                        .editSpec()
                        .withServiceAccountName("fakegpu-kubelet-plugin")
                        .endSpec()
                        .build())
                .create();
        setCondition(
                plugin,
                new PodConditionBuilder().withType("Ready").withStatus("True").build());

        // Then
        fakeGpus.await(() -> assertThat(fakeGpus.stored("unprepared"))
                .condition("Ready")
                .hasStatus("False")
                .hasReason("DriverNotRegistered"));

        // When
        setCondition(plugin, RegisteredDrivers.condition(Set.of("gpu.example.com"), Instant.now()));

        // Then
        fakeGpus.awaitCondition("unprepared", "KubeletPluginReady", "True");
        fakeGpus.awaitReady("unprepared");

        // When
        cluster.client().resource(plugin).withGracePeriod(0).delete();

        // Then
        fakeGpus.awaitCondition("unprepared", "KubeletPluginReady", "False");
    }

    /** Sets a condition, as the kubelet and the plugin do. */
    private static void setCondition(Pod pod, PodCondition condition) {
        ObjectClient.of(cluster.client())
                .mergeStatus(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(pod.getMetadata().getNamespace())
                        .withName(pod.getMetadata().getName())
                        .endMetadata()
                        .withNewStatus()
                        .withConditions(condition)
                        .endStatus()
                        .build());
    }

    @Test
    void simulatedNodesAreReadyAsIfAKubeletRanThere() {
        // When
        fakeGpus.create("ready", "{%s, model: L40S}".formatted(simulated(2)));
        fakeGpus.awaitReady("ready");

        // Then
        fakeGpus.await(() -> assertThat(fakeGpus.simulatedNodes("ready"))
                .hasSize(2)
                .allSatisfy(node -> {
                    assertThat(node.getStatus().getConditions())
                            .anySatisfy(condition -> assertThat(condition.getType() + "=" + condition.getStatus())
                                    .isEqualTo("Ready=True"));
                    assertThat(node.getSpec().getTaints())
                            .extracting(taint -> taint.getKey())
                            .containsExactly("fakegpu.dev/simulated");
                    assertThat(lease(node.getMetadata().getName())).isNotNull();
                }));
    }

    /** A kubelet may label its own node, and autoscalers copy labels. */
    @Test
    void nodeThatOnlyHasTheLabelsOfASimulatedOneIsLeftAlone() {
        // Given
        fakeGpus.create("copied", "{%s, model: L40S}".formatted(simulated(1)));
        fakeGpus.awaitReady("copied");
        fakeGpus.createNode(
                "copied-real",
                Map.of(Labels.SIMULATED, "true", Labels.FAKEGPU, "copied", Labels.MANAGED_BY, Labels.OPERATOR));
        Pod onReal = createPod("copied-on-real", "copied-real");
        Pod onSimulated = createPod("copied-on-simulated", "copied-node-0");
        try {
            // When: both kubelets had the same work
            fakeGpus.await(() -> assertThat(phase(onSimulated)).isEqualTo("Running"));
            cluster.client().resource(onReal).delete();
            cluster.client().resource(onSimulated).delete();
            fakeGpus.await(() ->
                    assertThat(cluster.client().resource(onSimulated).get()).isNull());
            fakeGpus.delete("copied");
            fakeGpus.await(() -> assertThat(fakeGpus.find("copied")).isEmpty());

            // Then
            var node = cluster.client().nodes().withName("copied-real").require();
            assertThat(node.getStatus().getConditions()).noneMatch(condition -> "True".equals(condition.getStatus()));
            assertThat(lease("copied-real")).isNull();
            assertThat(phase(onReal)).as("neither started nor removed").isEqualTo("Pending");
        } finally {
            cluster.client().resource(onReal).withGracePeriod(0).delete();
        }
    }

    private static Pod createPod(String name, String node) {
        return cluster.client().resource(pod(name, node)).create();
    }

    private static Pod pod(String name, String node) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .endContainer()
                .addNewToleration()
                .withOperator("Exists")
                .endToleration()
                .endSpec()
                .build();
    }

    private static String phase(Pod pod) {
        return cluster.client().resource(pod).require().getStatus().getPhase();
    }

    private static String simulated(int nodes) {
        return "nodes: {simulated: {count: %s}}".formatted(nodes);
    }

    private static Lease lease(String node) {
        return cluster.client()
                .leases()
                .inNamespace("kube-node-lease")
                .withName(node)
                .get();
    }
}
