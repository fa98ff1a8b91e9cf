package dev.fakegpu.cluster.pending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.Unseen;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests explanations about schedulers: which one allocates the devices, which groups it considers, and what it reported itself. */
class ExplainedSchedulersTest {

    private static final String NO_DEVICES = "0/1 nodes are available: 1 cannot allocate all claims.";

    @Test
    void theCompanionIsNotSuspectedOfIgnoringGroups() {
        assertThat(refusedAlthoughFree("Companion", "fakegpu-scheduler", "device binding failed: claim=train")
                        .explainer()
                        .pod("team", "train"))
                .satisfies(answer -> {
                    assertThat(answer.code()).isEqualTo("BindingFailed");
                    assertThat(answer.sentence()).isEqualTo("device binding failed: claim=train");
                    assertThat(answer.facts()).containsExactly("its devices are free again: all requests fit on n1");
                });
    }

    @Test
    void kubeSchedulerMayIgnoreGroupsUnlessItsGateIsKnown() throws IOException {
        var cluster = refusedAlthoughFree("KubeScheduler", "default-scheduler", NO_DEVICES);
        assertThat(cluster.textAboutPod("train"))
                .isEqualTo(Files.readString(
                        ProjectFiles.resolve("src/test/resources/golden/pending/gate-may-be-off.txt")));

        var known = new ExplainSettings(GateSources.chosen(GroupsGate.ON), Optional.empty(), PendingChanges.NONE);
        Answer answer = new PendingExplainer(cluster.snapshot(), known).pod("team", "train");
        assertThat(answer.code()).isEqualTo("NotRetried");
        assertThat(answer.sentence())
                .isEqualTo(
                        "its devices are free (all requests fit on n1), but kube-scheduler could not allocate them in its last"
                                + " attempt; it tries again when a ResourceSlice or DeviceClass is created or changed (not when one is"
                                + " deleted), and after 5 minutes");
    }

    @Test
    void kubeSchedulersOwnReasonIsNotReplacedByASuspicion() {
        Answer answer = refusedAlthoughFree(
                        "KubeScheduler",
                        "default-scheduler",
                        "0/1 nodes are available: 1 node(s) didn't match pod anti-affinity rules. preemption: 0/1 nodes are"
                                + " available: 1 No preemption victims found for incoming pod.")
                .explainer()
                .pod("team", "train");

        assertThat(answer.code()).isEqualTo("Allocatable");
        assertThat(answer.sentence())
                .isEqualTo(
                        "its devices are free: all requests fit on n1; kube-scheduler refused it for: 1 node(s) didn't"
                                + " match pod anti-affinity rules");
    }

    /** The pod "train" of namespace "team", for which a free device with groups may exist. */
    private static PendingCluster refusedAlthoughFree(String allocator, String scheduler, String message) {
        String owner =
                "ownerReferences: [{apiVersion: fakegpu.dev/v1alpha1, kind: FakeGpu, name: a, uid: a, controller: true}]";
        return new PendingCluster()
                .node("n1")
                .claim("train", "")
                .with("""
                        apiVersion: fakegpu.dev/v1alpha1
                        kind: FakeGpu
                        metadata: {name: a, uid: a}
                        spec: {driver: vendor.com, allocator: %s, nodes: {all: true}}
                        """.formatted(allocator), """
                        apiVersion: resource.k8s.io/v1
                        kind: ResourceSlice
                        metadata: {name: counters, %s}
                        spec:
                          driver: vendor.com
                          nodeName: n1
                          pool: {name: n1, generation: 1, resourceSliceCount: 2}
                          sharedCounters: [{name: set, counters: {slices: {value: "1"}}}]
                        """.formatted(owner), """
                        apiVersion: resource.k8s.io/v1
                        kind: ResourceSlice
                        metadata: {name: devices, %s}
                        spec:
                          driver: vendor.com
                          nodeName: n1
                          pool: {name: n1, generation: 1, resourceSliceCount: 2}
                          devices:
                          - name: gpu-0
                            consumesCounters:
                            - {counterSet: set, counters: {slices: {value: "1"}}, compatibilityGroups: [a]}
                        """.formatted(owner), """
                        apiVersion: v1
                        kind: Pod
                        metadata: {namespace: team, name: train}
                        spec: {containers: [], schedulerName: %s, resourceClaims: [{name: gpu, resourceClaimName: train}]}
                        status:
                          conditions:
                          - {type: PodScheduled, status: "False", reason: Unschedulable, message: "%s"}
                        """.formatted(
                                scheduler, message));
    }

    @Test
    void aMisspeltSchedulerIsTheFirstObstacle() {
        Answer answer = PendingCluster.held().with("""
                        apiVersion: v1
                        kind: Pod
                        metadata: {namespace: team, name: p}
                        spec: {containers: [], schedulerName: defualt-scheduler, resourceClaims: [{name: gpu, resourceClaimName: train}]}
                        """).explainer().pod("team", "p");

        assertThat(answer.code()).isEqualTo("NoScheduler");
        assertThat(answer.sentence())
                .startsWith("no scheduler has tried to schedule the pod: its schedulerName is \"defualt-scheduler\"");
        assertThat(answer.facts().get(0)).startsWith("with a scheduler: no device for request \"gpu\"");
    }

    @Test
    void freeDevicesAreReportedAsFree() {
        Answer answer = new PendingCluster()
                .node("n1", "")
                .claim("train", "")
                .pod("train", "train", "")
                .explainer()
                .pod("team", "train");

        assertThat(answer.code()).isEqualTo("NotRetried");
        assertThat(answer.sentence()).startsWith("its devices are free (all requests fit on n1), but kube-scheduler");
    }

    @Test
    void devicesOfTheOtherAllocatorAreNamedOnTheirNodes() {
        PendingCluster cluster = PendingCluster.held().node("n2").deviceOfCompanion("nics", "n2");
        ClusterObjects all = cluster.pod("train", "train", "").objects();
        ClusterObjects withoutFakeGpus = all.without(object -> object instanceof FakeGpu)
                .withUnseen(List.of(new Unseen(ObjectKind.FAKE_GPUS, "list", null, Unseen.Cause.FORBIDDEN)));

        for (ClusterObjects visible : List.of(all, withoutFakeGpus)) {
            var explainer = new PendingExplainer(new ClusterSnapshot(visible), ExplainSettings.DEFAULT);

            assertThat(explainer.pod("team", "train").sentence())
                    .startsWith("no device for request \"gpu\": on n1, ")
                    .endsWith("on n2, there are no devices to allocate except those of FakeGpu \"nics\", whose"
                            + " spec.allocator is Companion");
        }
    }

    @Test
    void devicesOfTheOtherAllocatorAreNotNamedIfTheClassIsForAnotherDriver() {
        PendingCluster cluster = PendingCluster.held().node("n2").deviceOfCompanion("nics", "n2", "nics.com");

        Answer answer = cluster.pod("train", "train", "").explainer().pod("team", "train");

        assertThat(answer.sentence())
                .startsWith("no device for request \"gpu\": on n1, ")
                .doesNotContain("nics");
    }

    @Test
    void theCompanionsWordsAreNotRepeated() {
        Answer answer = new PendingCluster()
                .node("n1")
                .claim("train", "")
                .with("""
                        apiVersion: v1
                        kind: Pod
                        metadata: {namespace: team, name: p}
                        spec: {containers: [], schedulerName: fakegpu-scheduler, resourceClaims: [{name: gpu, resourceClaimName: train}]}
                        status:
                          conditions:
                          - type: PodScheduled
                            status: "False"
                            message: 'there are no devices to allocate (request "gpu")'
                        """)
                .explainer()
                .pod("team", "p");

        assertThat(answer.sentence()).isEqualTo("there are no devices to allocate (request \"gpu\")");
        assertThat(answer.facts()).isEmpty();
    }
}
