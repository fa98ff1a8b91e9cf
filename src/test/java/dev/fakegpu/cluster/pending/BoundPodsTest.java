package dev.fakegpu.cluster.pending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests pods that have a node. */
class BoundPodsTest {

    @Test
    void devicesOfAPodAreListedWithTheirTime() {
        assertThat(new PendingCluster().node("n1", "").holder("team", "h", "n1").textAboutPod("h"))
                .isEqualTo("""
                Pod team/h is served (Bound):
                  it is on node n1 since 2026-01-01T00:00:01Z (Running) and has 1 device

                Devices:
                  claim h, request "gpu": gpu-0 of pool n1, driver vendor.com
                """);
    }

    @Test
    void unhealthyDevicesAreReportedFirst() {
        PendingCluster cluster = new PendingCluster().node("n1", "").with(allocated(""), pod("Running"), """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: n1}
                spec:
                  driver: vendor.com
                  nodeName: n1
                  pool: {name: n1, generation: 1, resourceSliceCount: 1}
                  devices: [{name: gpu-0, taints: [{key: vendor.com/gpu-lost, effect: NoSchedule}]}]
                """);

        assertThat(cluster.textAboutPod("h")).isEqualTo("""
                Pod team/h has unhealthy devices (DevicesUnhealthy):
                  gpu-0 (gpu-lost) of claim h is unhealthy; delete pod h to get another; it is on node n1 (Running) and has 1 device

                Devices:
                  claim h, request "gpu": gpu-0 of pool n1, driver vendor.com
                """);
        assertThat(cluster.explainer().claim("team", "h").sentence())
                .startsWith("gpu-0 (gpu-lost) of claim h is unhealthy; delete pod h to get another; it has 1 device");
        assertThat(cluster.explainer().podsInTrouble(Optional.of("team")))
                .extracting(Answer::state)
                .containsExactly(State.UNHEALTHY);
    }

    @Test
    void aPodWhoseDevicesCannotBePreparedDoesNotRun() {
        assertThat(unprepared("Pending").textAboutPod("h")).isEqualTo("""
                Pod team/h does not run (NotPrepared):
                  its devices are allocated, but cannot be prepared on node n1: claim h: it is held for another

                Devices:
                  claim h, request "gpu": gpu-0 of pool n1, driver vendor.com; not ready: it is held for another
                """);

        ClusterSnapshot snapshot = unprepared("Pending").snapshot();
        var explainer = new PendingExplainer(snapshot, ExplainSettings.DEFAULT);
        Report report = Report.of(List.of(explainer.pod("team", "h")), snapshot);
        assertThat(report.isAnyPending()).isTrue();
        assertThat(ReportJson.of(report).explanations().get(0).state()).isEqualTo("Unprepared");
        assertThat(explainer.pendingPods(Optional.empty())).isEmpty();
        assertThat(explainer.podsInTrouble(Optional.empty())).containsExactly(explainer.pod("team", "h"));
    }

    @Test
    void aPodThatRunsHadItsDevicesPrepared() {
        assertThat(unprepared("Running").explainer().pod("team", "h").state()).isEqualTo(State.SERVED);
    }

    @Test
    void aPodWhoseDriverIsNotRegisteredIsStuck() {
        PendingExplainer explainer = new PendingCluster()
                .node("n1")
                .deviceOfCompanion("heir", "n1")
                .with(allocated(""), pod("Pending"))
                .explainer();

        assertThat(explainer.podsInTrouble(Optional.empty())).singleElement().satisfies(answer -> {
            assertThat(answer.code()).isEqualTo("NotPrepared");
            assertThat(answer.sentence())
                    .isEqualTo(
                            "its devices are allocated, but cannot be prepared on node n1: claim h: the kubelet of n1 has not"
                                    + " registered driver vendor.com: no kubelet plugin of fakegpu-operator runs there; install it, or"
                                    + " see the condition KubeletPluginReady of FakeGpu \"heir\"");
        });
    }

    @Test
    void aPodWhoseNodeIsGoneDoesNotRun() {
        Answer answer =
                new PendingCluster().holder("team", "h", "gone").explainer().pod("team", "h");

        assertThat(answer.state()).isEqualTo(State.UNPREPARED);
        assertThat(answer.code()).isEqualTo("NodeGone");
        assertThat(answer.sentence()).isEqualTo("node gone does not exist, on which the pod is; delete pod h");
    }

    @Test
    void missingNodeOfAPodIsReported() {
        Answer answer = new PendingCluster()
                .claim("train", "")
                .pod("train", "train", ", nodeName: gone")
                .explainer()
                .pod("team", "train");

        assertThat(answer.sentence()).isEqualTo("on node gone, where the pod is already: there is no such node");
    }

    /** Its device is free, but it will never be allocated for the pod. */
    @Test
    void kubeSchedulerDoesNotLookAtAPodThatHasANode() {
        Answer answer = new PendingCluster()
                .node("n1", "")
                .claim("train", "")
                .pod("train", "train", ", nodeName: n1")
                .explainer()
                .pod("team", "train");

        assertThat(answer.code()).isEqualTo("HasNode");
        assertThat(answer.sentence())
                .isEqualTo("kube-scheduler skips pods that have a node, so claim train gets no devices; create the"
                        + " pod again with a nodeSelector for n1 instead of spec.nodeName");
    }

    @Test
    void aPodCannotStartWhereNothingPreparesItsDevices() {
        String condition = "{type: KubeletPluginReady, status: \"False\", reason: NoKubeletPlugin, message: \"%s\"}";
        String on = "pods cannot start with the devices of 1 of 2 node(s): no kubelet plugin runs on %s, install it";
        PendingCluster cluster = unprepared("Pending");
        String fakeGpu = """
                apiVersion: fakegpu.dev/v1alpha1
                kind: FakeGpu
                metadata: {name: g}
                spec: {driver: vendor.com, nodes: {names: [n1]}}
                status: {conditions: [%s]}
                """;
        cluster.with(allocated(""), fakeGpu.formatted(condition.formatted(on.formatted("n1"))));
        Answer answer = cluster.explainer().pod("team", "h");

        assertThat(answer.state()).isEqualTo(State.UNPREPARED);
        assertThat(answer.sentence())
                .isEqualTo(
                        "its devices are allocated, but cannot be prepared on node n1: claim h: no kubelet plugin runs on n1,"
                                + " install it");

        cluster.with(fakeGpu.formatted(condition.formatted(on.formatted("n10"))));
        assertThat(cluster.explainer().pod("team", "h").state()).isEqualTo(State.SERVED);
    }

    private static PendingCluster unprepared(String phase) {
        String failed = "{type: Ready, status: \"False\", reason: PrepareFailed, message: it is held for another}";
        return new PendingCluster().node("n1", "").with(allocated(failed), pod(phase));
    }

    /** @param condition the condition that the driver wrote about the device; may be empty */
    private static String allocated(String condition) {
        return """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: team, name: h}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.vendor.com}}]}}
                status:
                  reservedFor: [{resource: pods, name: h, uid: Pod-h}]
                  allocation:
                    devices: {results: [{request: gpu, driver: vendor.com, pool: n1, device: gpu-0}]}
                  devices: [{driver: vendor.com, pool: n1, device: gpu-0, conditions: [%s]}]
                """.formatted(condition);
    }

    private static String pod(String phase) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: h}
                spec: {containers: [], nodeName: n1, schedulerName: default-scheduler, resourceClaims: [{name: gpu, resourceClaimName: h}]}
                status: {phase: %s}
                """.formatted(phase);
    }
}
