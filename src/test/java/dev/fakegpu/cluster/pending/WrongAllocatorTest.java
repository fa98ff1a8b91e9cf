package dev.fakegpu.cluster.pending;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests pods of kube-scheduler that request devices which only the companion allocates. */
class WrongAllocatorTest {

    private static final String WRONG_ALLOCATOR =
            "devices of FakeGpu \"fake\" are allocated by the companion: set schedulerName: fakegpu-scheduler in the pod, or"
                    + " spec.allocator: KubeScheduler in the FakeGpu";

    @Test
    void wrongAllocatorIsReportedFirstForAPodThatFitsNodes() {
        Answer answer =
                devicesOfTheCompanion().pod("train", "train", "").explainer().pod("team", "train");

        assertThat(answer.code()).isEqualTo("WrongAllocator");
        assertThat(answer.sentence()).isEqualTo(WRONG_ALLOCATOR);
    }

    @Test
    void wrongAllocatorIsReportedForAPodThatFitsNoNode() {
        Answer answer = devicesOfTheCompanion()
                .pod("train", "train", ", nodeSelector: {zone: a}")
                .explainer()
                .pod("team", "train");

        assertThat(answer.code()).isEqualTo("NoNodeFits");
        assertThat(answer.facts()).contains(WRONG_ALLOCATOR);
    }

    @Test
    void theTolerationForSimulatedNodesIsTheWayOut() {
        PendingCluster cluster = new PendingCluster()
                .with("""
                        apiVersion: v1
                        kind: Node
                        metadata: {name: s1}
                        spec: {taints: [{key: fakegpu.dev/simulated, effect: NoSchedule}]}
                        status:
                          allocatable: {cpu: "8", pods: "10"}
                          conditions: [{type: Ready, status: "True"}]
                        """, """
                        apiVersion: fakegpu.dev/v1alpha1
                        kind: FakeGpu
                        metadata: {name: fake, uid: fake}
                        spec: {driver: vendor.com, allocator: KubeScheduler, nodes: {simulated: {count: 1}}}
                        """, """
                        apiVersion: resource.k8s.io/v1
                        kind: ResourceSlice
                        metadata:
                          name: slice-s1
                          ownerReferences: [{apiVersion: fakegpu.dev/v1alpha1, kind: FakeGpu, name: fake, uid: fake, controller: true}]
                        spec:
                          driver: vendor.com
                          nodeName: s1
                          pool: {name: s1, generation: 1, resourceSliceCount: 1}
                          devices: [{name: gpu-0}]
                        """)
                .claim("train", "")
                .pod("train", "train", "")
                .pod("tolerant", "train", ", tolerations: [{key: fakegpu.dev/simulated, operator: Exists}]");

        assertThat(cluster.explainer().pod("team", "train").sentence())
                .isEqualTo(
                        "simulated nodes have the taint fakegpu.dev/simulated, which the pod does not tolerate: add tolerations:"
                                + " [{key: fakegpu.dev/simulated, operator: Exists}] to the pod, or set spec.nodes.simulated.taint: None"
                                + " in the FakeGpu");
        assertThat(cluster.explainer().pod("team", "tolerant").code()).isNotEqualTo("NoNodeFits");
    }

    private static PendingCluster devicesOfTheCompanion() {
        return new PendingCluster().node("n1").claim("train", "").deviceOfCompanion("fake", "n1");
    }
}
