package dev.fakegpu.e2e.publish;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import dev.fakegpu.e2e.support.FakeGpuFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Devices that are on no node: from where they are reached, and that pods get them. */
class NetworkAttachedE2E {

    private static final String DRIVER = "box.example.com";

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withControllerManager();

    @RegisterExtension
    final FakeGpuFixture fakeGpus = cluster.fakeGpus();

    private ClusterScenario scenario;

    @BeforeEach
    void begin() {
        scenario = cluster.scenario(AllocatorName.Companion);
        fakeGpus.create("hosts", "{nodes: {simulated: {count: 2}}, model: L40S}");
        fakeGpus.awaitReady("hosts");
    }

    @AfterEach
    void end() {
        scenario.close();
    }

    @Test
    void whatEveryNodeReachesIsAllocatedAndPreparedOnAnyOfThem() {
        // Given
        fakeGpus.create("box", """
                {driver: box.example.com, nodes: {all: true}, custom: {
                  counterSets: [{name: box, counters: {slots: 2}}],
                  devices: [
                    {name: slot-0, attributes: {type: {string: slot}}, consumesCounters: [{counterSet: box, counters: {slots: 1}}]},
                    {name: slot-1, attributes: {type: {string: slot}}, consumesCounters: [{counterSet: box, counters: {slots: 1}}]},
                    {name: slot-2, attributes: {type: {string: slot}}, consumesCounters: [{counterSet: box, counters: {slots: 1}}]}]}}
                """);
        var ready = fakeGpus.awaitReady("box");
        assertThat(ready).condition("Published").message().isEqualTo("the pool of network-attached devices is stored");
        assertThat(fakeGpus.slices("box"))
                .extracting(Slice::pool)
                .containsOnly(fakeGpus.slices("box").get(0).pool());
        assertThat(fakeGpus.storedSlices("box"))
                .allSatisfy(slice -> assertThat(slice.getSpec().getAllNodes()).isTrue())
                .allSatisfy(
                        slice -> assertThat(slice.getSpec().getPool().getName()).isEqualTo("box"));

        // When
        scenario.podWithClaim("pod-a", DRIVER, "slot");
        scenario.awaitRunning("pod-a");
        scenario.podWithClaim("pod-b", DRIVER, "slot");
        scenario.awaitRunning("pod-b");
        scenario.podWithClaim("pod-c", DRIVER, "slot");

        // Then
        assertThat(scenario.devices("pod-a")).containsExactly(new DeviceId(DRIVER, "box", "slot-0"));
        assertThat(scenario.devices("pod-b")).containsExactly(new DeviceId(DRIVER, "box", "slot-1"));
        scenario.awaitUnschedulable("pod-c");
        fakeGpus.await(
                () -> assertThat(fakeGpus.stored("box").getStatus().totals().allocated())
                        .isEqualTo(2));
        scenario.deletePod("pod-a");
        scenario.awaitRunning("pod-c");
    }

    @Test
    void podGoesToTheNodeFromWhichItsDeviceIsReached() {
        // Given
        fakeGpus.labelNode("hosts-node-1", "rack", "r1");
        fakeGpus.create("box", """
                {driver: box.example.com, nodes: {all: true}, custom: {devices: [
                    {name: by-name, attributes: {type: {string: by-name}}, nodeName: hosts-node-1},
                    {name: by-label, attributes: {type: {string: by-label}},
                     nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: rack, operator: In, values: [r1]}]}]}},
                    {name: anywhere, attributes: {type: {string: anywhere}}}]}}
                """);
        fakeGpus.awaitReady("box");
        assertThat(fakeGpus.storedSlices("box"))
                .singleElement()
                .satisfies(slice ->
                        assertThat(slice.getSpec().getPerDeviceNodeSelection()).isTrue());

        // When
        scenario.podWithClaim("pod-name", DRIVER, "by-name");
        scenario.podWithClaim("pod-label", DRIVER, "by-label");
        scenario.podWithClaim("pod-anywhere", DRIVER, "anywhere");

        // Then
        scenario.awaitRunning("pod-name");
        scenario.awaitRunning("pod-label");
        scenario.awaitRunning("pod-anywhere");
        assertThat(scenario.storedPod("pod-name").getSpec().getNodeName()).isEqualTo("hosts-node-1");
        assertThat(scenario.storedPod("pod-label").getSpec().getNodeName()).isEqualTo("hosts-node-1");
        assertThat(scenario.storedPod("pod-anywhere").getSpec().getNodeName()).isEqualTo("hosts-node-0");
    }

    @Test
    void onePoolForTheNodesOfASelectorIsChangedInPlace() {
        // Given
        fakeGpus.labelNode("hosts-node-0", "fabric", "a");
        fakeGpus.create("box", """
                {driver: box.example.com, custom: {devices: [{name: only, attributes: {type: {string: only}}}]},
                 nodes: {nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: fabric, operator: In, values: [a]}]}]}}}
                """);
        fakeGpus.awaitReady("box");
        var before = fakeGpus.storedSlices("box").get(0);

        // When
        fakeGpus.patchSpec("box", """
                {"nodes": {"nodeSelector": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "fabric", "operator": "Exists"}]}]}}}
                """);

        // Then
        fakeGpus.await(() -> {
            var after = fakeGpus.storedSlices("box").get(0);
            assertThat(after.getMetadata().getUid())
                    .isEqualTo(before.getMetadata().getUid());
            assertThat(after.getSpec()
                            .getNodeSelector()
                            .getNodeSelectorTerms()
                            .get(0)
                            .getMatchExpressions()
                            .get(0)
                            .getOperator())
                    .isEqualTo("Exists");
        });
        scenario.podWithClaim("pod", DRIVER, "only");
        scenario.awaitRunning("pod");
        assertThat(scenario.storedPod("pod").getSpec().getNodeName()).isEqualTo("hosts-node-0");
    }
}
