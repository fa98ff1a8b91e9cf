package dev.fakegpu.operator.publish.condition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.publish.condition.Conditions.Type;
import dev.fakegpu.operator.publish.pool.KubeletPlugins;
import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PreparationSimulatedConditionTest {

    private static final String SIMULATED =
            "{model: L40S, nodes: {selector: {matchLabels: {gpu: l40s}}, preparation: Simulated}}";

    private final ObjectStores cluster = new ObjectStores();
    private final Conditions conditions = new Conditions(List.of(), 1, Clock.systemUTC());

    @Test
    void isTrueIfAllNodesAreNodesOfKwok() {
        store(fake("kwok-0").build());
        store(fake("kwok-1")
                .editSpec()
                .withProviderID("kwok://kwok-1")
                .endSpec()
                .editStatus()
                .withNewNodeInfo()
                .withKubeletVersion("v1.37.1")
                .withContainerRuntimeVersion("kwok-v0.8.0")
                .endNodeInfo()
                .endStatus()
                .build());

        assertThat(report(SIMULATED)).isEqualTo("True AllNodes: the operator prepares claims on all 2 node(s)");
        assertThat(conditions.get(Type.KubeletPluginReady)).isEmpty();
    }

    @Test
    void saysWhichNodesMayHaveAKubeletAndWhy() {
        store(fake("kwok-0").build());
        store(node("real-0").build());
        store(fake("real-1")
                .editStatus()
                .withNewNodeInfo()
                .withContainerRuntimeVersion("containerd://2.2.1")
                .endNodeInfo()
                .endStatus()
                .build());
        store(fake("real-2").editSpec().withProviderID("kind://2").endSpec().build());

        assertThat(report(SIMULATED))
                .isEqualTo(
                        "False NotKeptByKwok: the operator leaves the pods of 3 of 4 node(s) alone, since they may have a"
                                + " kubelet: real-0 does not have the annotation kwok.x-k8s.io/node: fake, real-1 has a kubelet, which"
                                + " reports the container runtime containerd://2.2.1, real-2 has the provider ID kind://2");
        assertThat(conditions.get(Type.KubeletPluginReady).orElseThrow().getMessage())
                .startsWith("pods cannot start with the devices of 3 of 3 node(s)");
    }

    @Test
    void isAbsentUnlessTheSpecRequestsSimulation() {
        store(fake("kwok-0").build());
        conditions.setTrue(Type.PreparationSimulated, "AllNodes", "before");

        assertThat(report("{model: L40S, nodes: {selector: {matchLabels: {gpu: l40s}}}}"))
                .isEqualTo("absent");
        assertThat(conditions.get(Type.KubeletPluginReady)).isPresent();
    }

    private String report(String spec) {
        var fakeGpu = TestObjects.fakeGpu("{name: fake, uid: uid}", "spec: " + spec);
        var report = new StatusReport(fakeGpu, conditions, null, null);
        KubeletPluginReadyCondition.report(report, KubeletPlugins.of(fakeGpu, cluster));
        PreparationSimulatedCondition.report(report, cluster);
        return conditions
                .get(Type.PreparationSimulated)
                .map(condition ->
                        "%s %s: %s".formatted(condition.getStatus(), condition.getReason(), condition.getMessage()))
                .orElse("absent");
    }

    private void store(Node node) {
        cluster.nodes().onAdd(node);
    }

    private static NodeBuilder fake(String name) {
        return node(name)
                .editMetadata()
                .withAnnotations(Map.of("kwok.x-k8s.io/node", "fake"))
                .endMetadata();
    }

    private static NodeBuilder node(String name) {
        return new NodeBuilder(TestObjects.node(
                "{name: %1$s, uid: %1$s, resourceVersion: '1', labels: {gpu: l40s}}".formatted(name),
                "spec: {}",
                "status: {}"));
    }
}
