package dev.fakegpu.operator.publish.condition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.RegisteredDrivers;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.publish.ReconcileTriggers;
import dev.fakegpu.operator.publish.pool.KubeletPluginPod;
import dev.fakegpu.operator.publish.pool.KubeletPlugins;
import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubeletPluginReadyConditionTest {

    private static final String NODES = "nodes: {selector: {matchLabels: {gpu: a100}}}";

    private final ObjectStores cluster = new ObjectStores();
    private final Conditions conditions = new Conditions(List.of(), 1, Clock.systemUTC());

    @BeforeEach
    void threeNodes() {
        Set.of("node-1", "node-2", "node-3").forEach(this::node);
    }

    @Test
    void isTrueIfAllNodesHaveAReadyPlugin() {
        plugin("node-1", true, null);
        plugin("node-2", true, "gpu.example.com,gpu.nvidia.com");
        plugin("node-3", false, null);
        plugin("node-3", true, null);

        assertThat(condition("{driver: gpu.nvidia.com, model: L40S, %s}".formatted(NODES)))
                .isEqualTo(
                        "True AllNodes: on all 3 node(s) a kubelet plugin is ready and gpu.nvidia.com is registered");
    }

    @Test
    void namesNodesWithoutAPluginAndSaysWhatToDo() {
        plugin("node-2", true, "gpu.example.com");
        plugin("node-2", false, null, "another-app");
        plugin("node-3", false, null);

        assertThat(condition("{driver: gpu.nvidia.com, model: L40S, %s}".formatted(NODES)))
                .isEqualTo(
                        "False NoKubeletPlugin: pods cannot start with the devices of 3 of 3 node(s): no kubelet plugin runs on"
                                + " node-1, install it with \"kubectl apply -k config/kubelet-plugin\" or with"
                                + " kubeletPlugin.enabled=true of the Helm chart; the kubelet plugin on node-2 serves only other"
                                + " drivers, add gpu.nvidia.com to kubeletPlugin.drivers of the Helm chart; the kubelet plugin on"
                                + " node-3 is not ready, see its pod and log");
    }

    /** The pod is ready before the driver is served, because the plugin finds the driver in the published slices. */
    @Test
    void aPluginThatIsReadyMayNotBeRegisteredYet() {
        plugin("node-1", true, null, "fakegpu-kubelet-plugin", Set.of("gpu.example.com"));
        plugin("node-2", true, null, "fakegpu-kubelet-plugin", Set.of());
        plugin("node-3", false, null, "fakegpu-kubelet-plugin", Set.of("gpu.nvidia.com"));

        assertThat(condition("{driver: gpu.nvidia.com, model: L40S, %s}".formatted(NODES)))
                .isEqualTo(
                        "False KubeletPluginNotReady: pods cannot start with the devices of 3 of 3 node(s): the kubelet plugin on"
                                + " node-3 is not ready, see its pod and log; the kubelet on node-1, node-2 has not registered"
                                + " gpu.nvidia.com yet, see the log of the kubelet plugin if that does not change");
    }

    /** On nodes without a plugin there is nothing to wait for. */
    @Test
    void devicesAwaitUnregisteredPlugins() {
        plugin("node-2", true, "gpu.example.com");
        plugin("node-3", true, null, "fakegpu-kubelet-plugin", Set.of());

        var plugins = KubeletPlugins.of(
                fakeGpu("fake", "{driver: gpu.nvidia.com, model: L40S, %s}".formatted(NODES)), cluster);

        assertThat(plugins.awaited()).containsExactly("node-3");
    }

    @Test
    void aDriverThatIsRegisteredReconcilesTheFakeGpus() {
        // Given
        var reconciled = new ArrayList<String>();
        cluster.fakeGpus().onAdd(fakeGpu("fake", "{model: L40S, nodes: {names: [node-1]}}"));
        var before = pod("node-1", true, null, "fakegpu-kubelet-plugin", Set.of());
        cluster.pods().onAdd(before);
        new ReconcileTriggers(cluster, id -> reconciled.add(id.getName())).register();

        // When
        var registered = RegisteredDrivers.condition(Set.of("gpu.example.com"), Instant.EPOCH);
        cluster.pods()
                .onUpdate(
                        before,
                        new PodBuilder(before)
                                .editMetadata()
                                .withResourceVersion("2")
                                .endMetadata()
                                .editStatus()
                                .addToConditions(registered)
                                .endStatus()
                                .build());

        // Then
        assertThat(reconciled).containsExactly("fake");
        assertThat(condition("{model: L40S, nodes: {names: [node-1]}}")).startsWith("True AllNodes");
    }

    @Test
    void onlyNodesOfTheFakeGpuCount() {
        plugin("node-1", true, null);

        assertThat(condition("{model: L40S, nodes: {names: [node-1]}}"))
                .isEqualTo(
                        "True AllNodes: on all 1 node(s) a kubelet plugin is ready and gpu.example.com is registered");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{model: L40S, nodes: {names: [missing]}}",
                "{model: L40S, nodes: {simulated: {count: 2}}}",
                "{model: L40S, nodes: {all: true}}",
                "{model: L40S, nodes: {names: [node-1]}, skipNodeOperations: ['*']}",
                "{model: L40S, nodes: {names: [node-1]}, skipNodeOperations: [NodePrepareResources, NodeUnprepareResources]}",
            })
    void isAbsentIfNoPluginIsNeeded(String spec) {
        conditions.setFalse(Conditions.Type.KubeletPluginReady, "NoKubeletPlugin", "before");

        assertThat(condition(spec)).isEqualTo("absent");
    }

    /** The operator prepares devices on these nodes. */
    @Test
    void simulatedNodesOfOtherFakeGpusDoNotCount() {
        var other = fakeGpu("other", "{model: L40S, nodes: {simulated: {count: 1}}}");
        cluster.fakeGpus().onAdd(other);
        cluster.nodes()
                .onAdd(new NodeBuilder()
                        .withNewMetadata()
                        .withName("other-node-0")
                        .withUid("other-node-0")
                        .withResourceVersion("1")
                        .withOwnerReferences(FakeGpuOwner.reference(other))
                        .endMetadata()
                        .build());

        assertThat(condition("{model: L40S, nodes: {names: [other-node-0]}}")).isEqualTo("absent");
    }

    @Test
    void podCountsOnceItHasANode() {
        assertThat(KubeletPluginPod.of(pod(null, true, null, "fakegpu-kubelet-plugin", Set.of()), cluster))
                .isEmpty();
        assertThat(KubeletPluginPod.of(null, cluster)).isEmpty();
    }

    /** Users may give any pod this label, and let it run with any ServiceAccount of its namespace. */
    @ParameterizedTest
    @CsvSource({"tenant, fakegpu-kubelet-plugin", "fakegpu-kubelet-plugin, default", "tenant, default"})
    void aPodOfATenantIsNoPlugin(String namespace, String serviceAccount) {
        // Given
        var reconciled = new ArrayList<String>();
        var fakeGpu = fakeGpu("fake", "{model: L40S, nodes: {names: [node-1]}}");
        cluster.fakeGpus().onAdd(fakeGpu);
        new ReconcileTriggers(cluster, id -> reconciled.add(id.getName())).register();

        // When
        Pod forged = new PodBuilder(pod("node-1", true, null, "fakegpu-kubelet-plugin", Set.of()))
                .editMetadata()
                .withNamespace(namespace)
                .endMetadata()
                .editSpec()
                .withServiceAccountName(serviceAccount)
                .endSpec()
                .build();
        cluster.pods().onAdd(forged);
        cluster.pods()
                .onUpdate(
                        forged,
                        new PodBuilder(forged)
                                .editMetadata()
                                .withResourceVersion("2")
                                .addToAnnotations("fakegpu.dev/drivers", "any.example.com")
                                .endMetadata()
                                .build());

        // Then
        assertThat(condition("{model: L40S, nodes: {names: [node-1]}}")).startsWith("False NoKubeletPlugin");
        assertThat(reconciled).isEmpty();
    }

    /** Helm installs it there. */
    @Test
    void aPluginMayBeInTheOperatorsNamespace() {
        var operators = new ObjectStores("gpu-tests");
        Pod plugin = new PodBuilder(pod("node-1", true, null, "fakegpu-kubelet-plugin", Set.of()))
                .editMetadata()
                .withNamespace("gpu-tests")
                .endMetadata()
                .build();

        assertThat(operators.kubeletPluginNode(plugin)).contains("node-1");
        assertThat(cluster.kubeletPluginNode(plugin)).isEmpty();
    }

    private String condition(String spec) {
        var fakeGpu = fakeGpu("fake", spec);
        KubeletPluginReadyCondition.report(
                new StatusReport(fakeGpu, conditions, null, null), KubeletPlugins.of(fakeGpu, cluster));
        return conditions
                .get(Conditions.Type.KubeletPluginReady)
                .map(KubeletPluginReadyConditionTest::text)
                .orElse("absent");
    }

    private static String text(Condition condition) {
        return "%s %s: %s".formatted(condition.getStatus(), condition.getReason(), condition.getMessage());
    }

    private static FakeGpu fakeGpu(String name, String spec) {
        return TestObjects.fakeGpu("{name: %1$s, uid: %1$s, resourceVersion: '1'}".formatted(name), "spec: " + spec);
    }

    private void node(String name) {
        cluster.nodes()
                .onAdd(new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withUid(name)
                        .withResourceVersion("1")
                        .addToLabels("gpu", "a100")
                        .endMetadata()
                        .build());
    }

    private void plugin(String node, boolean ready, String drivers) {
        plugin(node, ready, drivers, "fakegpu-kubelet-plugin");
    }

    private void plugin(String node, boolean ready, String drivers, String app) {
        plugin(node, ready, drivers, app, ready ? Set.of("gpu.example.com", "gpu.nvidia.com") : Set.of());
    }

    private void plugin(String node, boolean ready, String drivers, String app, Set<String> registered) {
        cluster.pods().onAdd(pod(node, ready, drivers, app, registered));
    }

    private Pod pod(String node, boolean ready, String drivers, String app, Set<String> registered) {
        String name = "plugin-" + cluster.pods().list().size();
        Pod pod = TestObjects.pod(
                "{namespace: fakegpu-kubelet-plugin, name: %1$s, uid: %1$s, resourceVersion: '1', labels: {app.kubernetes.io/name: %2$s}}"
                        .formatted(name, app),
                "spec: {nodeName: %s, serviceAccountName: fakegpu-kubelet-plugin}".formatted(node),
                "status: {conditions: [{type: Ready, status: '%s'}]}".formatted(ready ? "True" : "False"));
        pod.getMetadata().setAnnotations(drivers == null ? Map.of() : Map.of("fakegpu.dev/drivers", drivers));
        pod.getStatus().getConditions().add(RegisteredDrivers.condition(registered, Instant.EPOCH));
        return pod;
    }
}
