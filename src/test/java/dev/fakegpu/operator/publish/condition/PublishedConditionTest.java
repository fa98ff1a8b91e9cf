package dev.fakegpu.operator.publish.condition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.engine.explain.finding.NameScope;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.hardware.slices.PoolTarget;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.operator.publish.pool.GroupPublishing;
import dev.fakegpu.operator.publish.pool.GroupPublishing.Enforcement;
import dev.fakegpu.operator.publish.pool.GroupPublishing.Placement;
import dev.fakegpu.operator.publish.pool.KubeletPlugins;
import dev.fakegpu.operator.publish.pool.PoolsResult;
import dev.fakegpu.operator.publish.pool.PublishResult;
import dev.fakegpu.operator.publish.pool.SimulatedNodes;
import dev.fakegpu.testing.TestObjects;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what the condition says about the progress of a FakeGpu. */
class PublishedConditionTest {

    private static final int NODES = 1000;

    private final FakeGpu fakeGpu =
            TestObjects.fakeGpu("{name: a, uid: uid}", "spec: {model: L40S, nodes: {simulated: {count: 1000}}}");
    private List<String> announced = List.of();

    /** Nothing listens on this port, so events are not delivered. */
    private final KubernetesClient client = new KubernetesClientBuilder()
            .withConfig(new ConfigBuilder()
                    .withMasterUrl("http://127.0.0.1:1")
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void messageCountsPublishedNodes() {
        assertThat(condition(600, null)).isEqualTo("False Publishing: published 400 of 1000 node(s)");
    }

    @Test
    void messageCountsCreatedNodes() {
        assertThat(condition(250, NODES, null)).isEqualTo("False Publishing: created 750 of 1000 node(s)");
    }

    @Test
    void reasonIsTheMemoryLimit() {
        assertThat(condition(600, "90 of 100 MiB are in use"))
                .isEqualTo("False MemoryLimit: published 400 of 1000 node(s): 90 of 100 MiB are in use");
    }

    @Test
    void isTrueIfThePoolsOfAllNodesAreStored() {
        assertThat(condition(0, null)).isEqualTo("True AllPoolsStored: the pools of 1000 node(s) are stored");
    }

    @Test
    void theDevicesOfANodeAwaitTheRegistrationOfTheirDriver() {
        announced = List.of("node-7");

        assertThat(condition(0, null))
                .isEqualTo(
                        "False AwaitsKubeletPlugin: published 999 of 1000 node(s); the devices of node-7 follow when the"
                                + " kubelet has registered gpu.example.com there, see the condition KubeletPluginReady");
    }

    @Test
    void messageListsNamedNodesThatDoNotExist() {
        fakeGpu.setSpec(Specs.spec("{model: L40S, nodes: {names: [node-1, nod-2, node-3, nod-4]}}"));

        assertThat(condition(0, null))
                .isEqualTo("True AllPoolsStored: the pools of 1000 node(s) are stored; not there yet: nod-2, nod-4");
    }

    private String condition(int remaining, @Nullable String limit) {
        return condition(0, remaining, limit);
    }

    private String condition(int nodes, int pools, @Nullable String limit) {
        var conditions = new Conditions(List.of(), 1, Clock.systemUTC());
        var targets = IntStream.range(0, NODES)
                .mapToObj(i -> new PoolTarget(
                        new PoolId("gpu.example.com", "node-" + i), "a", new NodeSelection.NodeName("node-" + i)))
                .toList();
        PublishedCondition.report(
                new StatusReport(
                        fakeGpu,
                        conditions,
                        new EventRecorder(client, Clock.systemUTC(), Ticker.SYSTEM, "test"),
                        NameScope.all()),
                new PublishResult(
                        new SimulatedNodes.Result(List.of(), false, NODES, nodes, List.of()),
                        new GroupPublishing(Placement.IN_SLICES, Enforcement.COMPANION),
                        new PoolsResult(true, targets, Map.of(), announced, List.of(), List.of(), pools, limit),
                        new KubeletPlugins(Map.of())));
        var condition = conditions.get(Conditions.Type.Published).orElseThrow();
        return condition.getStatus() + " " + condition.getReason() + ": " + condition.getMessage();
    }
}
