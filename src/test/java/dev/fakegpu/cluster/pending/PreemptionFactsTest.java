package dev.fakegpu.cluster.pending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what is said about pods that would have to be preempted, with one or two nodes that have one device each. */
class PreemptionFactsTest {

    private static final String DOES_NOT = ", but kube-scheduler 1.37 does not preempt pods for devices";

    private static PendingCluster waiting(PendingCluster cluster, String spec) {
        return cluster.claim("train", "").pod("train", "train", spec);
    }

    private static PendingCluster held(String spec) {
        return waiting(new PendingCluster().node("n1", "").holder("team", "low", "n1"), spec);
    }

    private static List<String> ways(PendingCluster cluster) {
        return cluster.explainer().pod("team", "train").evidence().orElseThrow().ways().stream()
                .filter(way -> !way.preempts().isEmpty())
                .map(Evidence.WayOut::onItsNodes)
                .toList();
    }

    @Test
    void podOfHigherPriorityHasAFactWithItsVictims() {
        assertThat(ways(held(", priority: 10")))
                .containsExactly("on n1: preempting pod low (priority 0 < 10) would make room" + DOES_NOT);
    }

    @Test
    void theWayOutIsOneOfThoseThatWereTried() throws IOException {
        assertThat(held(", priority: 10").textAboutPod("train"))
                .isEqualTo(Files.readString(ProjectFiles.resolve("src/test/resources/golden/pending/preempted.txt")));
    }

    @Test
    void podOfTheSamePriorityHasNoFact() {
        assertThat(ways(held(""))).isEmpty();
        assertThat(ways(held(", priority: -1"))).isEmpty();
    }

    @Test
    void podWithPolicyNeverPreemptsNoPods() {
        assertThat(ways(held(", priority: 10, preemptionPolicy: Never")))
                .containsExactly(
                        "on n1: preempting pod low (priority 0 < 10) would make room, but its preemptionPolicy is Never");
    }

    @Test
    void theCompanionPreemptsNoPods() {
        PendingCluster cluster = waiting(
                new PendingCluster().node("n1").deviceOfCompanion("a100", "n1").holder("other", "low", "n1"),
                ", priority: 10");
        cluster.with("""
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: train}
                spec: {containers: [], priority: 10, schedulerName: fakegpu-scheduler, resourceClaims: [{name: gpu, resourceClaimName: train}]}
                """);

        assertThat(ways(cluster))
                .containsExactly(
                        "on n1: preempting pod other/low (priority 0 < 10) would make room, but companion.preemption is Disabled");
    }

    /** A node whose victim has a PodDisruptionBudget is chosen only if there is no other node. */
    @Test
    void budgetsCount() {
        PendingCluster cluster = waiting(
                new PendingCluster()
                        .node("n1", "")
                        .node("n2", "")
                        .holder("team", "low", "n1")
                        .holder("team", "web", "n2"),
                ", priority: 10");
        assertThat(ways(cluster))
                .containsExactly("on n1: preempting pod low (priority 0 < 10) would make room" + DOES_NOT);

        cluster.with("""
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {namespace: team, name: low}
                spec: {minAvailable: 1, selector: {matchLabels: {app: low}}}
                status: {currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 0, expectedPods: 1}
                """);
        assertThat(ways(cluster))
                .containsExactly("on n2: preempting pod web (priority 0 < 10) would make room" + DOES_NOT);

        cluster.holder("team", "web", "n2", ", priority: 20");
        assertThat(ways(cluster))
                .containsExactly("on n1: preempting pod low (priority 0 < 10) would make room, 1 in violation of a"
                        + " PodDisruptionBudget" + DOES_NOT);
    }

    @Test
    void aGroupThatIsDisruptedAsAWholeIsPreemptedAsAWhole() {
        String member = ", priority: 1, schedulingGroup: {podGroupName: ring}";
        PendingCluster cluster = waiting(
                new PendingCluster()
                        .node("n1", "")
                        .node("n2", "")
                        .holder("team", "worker-0", "n1", member)
                        .holder("team", "worker-1", "n2", member),
                ", priority: 10");
        String group = ", disruptionMode: {%s: {}}, priority: %d";

        assertThat(ways(cluster.gang("ring", 2, group.formatted("all", 5))))
                .containsExactly(
                        "on n1: preempting pods worker-0 and worker-1 (priority 1 < 10) would make room" + DOES_NOT);
        assertThat(ways(cluster.gang("ring", 2, group.formatted("single", 5))))
                .containsExactly("on n1: preempting pod worker-0 (priority 1 < 10) would make room" + DOES_NOT);
        assertThat(ways(cluster.gang("ring", 2, group.formatted("all", 10)))).isEmpty();
    }

    /** The device of the terminating pod will soon be free. */
    @Test
    void noPodIsPreemptedIfATerminatingOneIsEnough() {
        assertThat(ways(waiting(
                        new PendingCluster()
                                .node("n1", "")
                                .node("n2", "")
                                .holder("team", "low", "n1")
                                .holder("team", "ending", "n2")
                                .with("""
                                        apiVersion: v1
                                        kind: Pod
                                        metadata: {namespace: team, name: ending, deletionTimestamp: "2026-01-01T00:00:05Z"}
                                        spec: {containers: [], nodeName: n2, resourceClaims: [{name: gpu, resourceClaimName: ending}]}
                                        """),
                        ", priority: 10")))
                .isEmpty();
    }

    /** As in kube-scheduler, preemption makes room for cpu: devices are free, but pods of lower priority use the cpu. */
    @Test
    void kubeSchedulerPreemptsForCpu() {
        PendingCluster cluster = waiting(new PendingCluster().node("n1", "").with("""
                                apiVersion: v1
                                kind: Node
                                metadata: {name: n1}
                                spec: {}
                                status: {conditions: [{type: Ready, status: "True"}], allocatable: {pods: "110", cpu: "2"}}
                                """, """
                                apiVersion: v1
                                kind: Pod
                                metadata: {namespace: team, name: low}
                                spec: {containers: [{name: c, resources: {requests: {cpu: "1"}}}], nodeName: n1}
                                """), ", priority: 10");
        cluster.with("""
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: train}
                spec: {containers: [{name: c, resources: {requests: {cpu: "2"}}}], priority: 10, schedulerName: default-scheduler, resourceClaims: [{name: gpu, resourceClaimName: train}]}
                status: {conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: "0/1 nodes are available: 1 Insufficient cpu."}]}
                """);

        assertThat(ways(cluster)).containsExactly("on n1: preempts pod low (priority 0 < 10)");
    }

    /** The CPUs of a pod are devices, which consume cpu of the node (KEP-5517). */
    @Test
    void kubeSchedulerPreemptsForCpuThatDevicesTake() {
        assertThat(ways(cpus("10", "2026-01-01T00:00:00Z")))
                .containsExactly("on n1: preempts pod low (priority 0 < 10)");
        assertThat(ways(cpus("2", "2026-01-01T00:00:00Z"))).isEmpty();
    }

    @Test
    void aTimeThatCannotBeReadIsUnknown() {
        assertThat(ways(cpus("10", "yesterday"))).containsExactly("on n1: preempts pod low (priority 0 < 10)");
    }

    /** @param taken how many of the 12 CPUs are allocated; the waiting pod requests 4 */
    private static PendingCluster cpus(String taken, String started) {
        return new PendingCluster()
                .with("""
                        apiVersion: v1
                        kind: Node
                        metadata: {name: n1}
                        spec: {}
                        status: {conditions: [{type: Ready, status: "True"}], allocatable: {pods: "110", cpu: "12"}, declaredFeatures: [DRANodeAllocatableResources]}
                        """, """
                        apiVersion: resource.k8s.io/v1
                        kind: ResourceSlice
                        metadata: {name: slice-n1}
                        spec:
                          driver: vendor.com
                          nodeName: n1
                          pool: {name: n1, generation: 1, resourceSliceCount: 1}
                          devices:
                          - name: socket
                            allowMultipleAllocations: true
                            capacity: {vendor.com/cpu: {value: "64", requestPolicy: {default: "4"}}}
                            nodeAllocatableResources: {cpu: {mapping: {capacityKey: vendor.com/cpu, capacityMultiplier: "1"}}}
                        """, """
                        apiVersion: resource.k8s.io/v1
                        kind: ResourceClaim
                        metadata: {namespace: team, name: low}
                        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.vendor.com, allocationMode: ExactCount, count: 1}}]}}
                        status:
                          reservedFor: [{resource: pods, name: low, uid: Pod-low}]
                          allocation:
                            devices: {results: [{request: gpu, driver: vendor.com, pool: n1, device: socket, shareID: 00000000-0000-0000-0000-000000000001, consumedCapacity: {vendor.com/cpu: "%s"}}]}
                        """.formatted(taken), """
                        apiVersion: v1
                        kind: Pod
                        metadata: {namespace: team, name: low}
                        spec: {containers: [{name: main}], nodeName: n1, resourceClaims: [{name: gpu, resourceClaimName: low}]}
                        status:
                          phase: Running
                          startTime: "%s"
                          nodeAllocatableResourceClaimStatuses: [{resourceClaimName: low, mapping: [{name: cpu, quantity: "%s"}]}]
                        """.formatted(started, taken))
                .claim("train", "")
                .pod("train", "train", ", priority: 10");
    }
}
