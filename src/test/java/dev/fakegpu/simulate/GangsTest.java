package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.simulate.ClusterView.Waiting;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When the pods of a PodGroup are placed, and what they wait for. */
class GangsTest {

    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void podsWaitUntilThereAreEnoughOfThem(Schedulers schedulers) {
        var gang = new SimulatedGang(schedulers);
        gang.pods(0, 1);
        assertThat(gang.waiting("worker-0"))
                .isEqualTo(new Waiting("GangIncomplete", "PodGroup \"ring\" does not exist"));
        gang.group(3, "");
        assertThat(gang.waiting("worker-1"))
                .isEqualTo(new Waiting("GangIncomplete", "PodGroup \"ring\" needs 3 pods, 2 exist"));
        assertThat(gang.held()).isEmpty();

        gang.pods(2, 2);
        assertThat(gang.running()).containsExactly("worker-0", "worker-1", "worker-2");

        gang.pods(3, 3);
        assertThat(gang.running()).containsExactly("worker-0", "worker-1", "worker-2", "worker-3");
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void aGangThatDoesNotFitHoldsNothing(Schedulers schedulers) {
        var gang = new SimulatedGang(schedulers);
        gang.group(5, "");
        gang.pods(0, 4);

        assertThat(gang.running()).isEmpty();
        assertThat(gang.held()).isEmpty();
        assertThat(Stream.of("worker-0", "worker-4").map(pod -> gang.waiting(pod)))
                .containsOnly(new Waiting(
                        "GangDoesNotFit",
                        "PodGroup \"ring\" needs 5 pods at once: 4 of 5 pods fit; worker-4 needs 1 device of class"
                                + " \"gpu.example.com\", but the other pods leave too few that fit; the group would not fit even if"
                                + " all devices were free"));

        // When: one is enough
        gang.minCount(4);

        // Then
        assertThat(gang.running()).containsExactly("worker-0", "worker-1", "worker-2", "worker-3");
        assertThat(gang.waiting("worker-4").reason()).isEqualTo("DevicesInUse");
        gang.delete("Pod", "worker-1");
        assertThat(gang.running()).containsExactly("worker-0", "worker-2", "worker-3", "worker-4");
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void aHolderInTheWayOfAGangIsNamed(Schedulers schedulers) {
        var gang = new SimulatedGang(schedulers);
        gang.apply(gang.podYaml("holder", SimulatedGang.OWN_CLAIM).replaceAll("(?m)^.*schedulingGroup.*\\n", ""));
        gang.group(4, "");
        gang.pods(0, 3);

        assertThat(gang.waiting("worker-3").sentence())
                .endsWith("but the other pods leave too few that fit; delete pod holder");
        gang.delete("Pod", "holder");
        assertThat(gang.running()).hasSize(4);
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void podsOfOtherSchedulersCountOnceTheyHaveANode(Schedulers schedulers) {
        var gang = new SimulatedGang(schedulers);
        gang.createSharedClaim();
        gang.group(2, "");
        String other = gang.podYaml("worker-1", "resourceClaimName: both")
                .replaceAll("schedulerName: .*", "schedulerName: of-others");
        gang.apply(other);
        reserve(gang);
        gang.pods(0, 0);

        assertThat(gang.waiting("worker-0"))
                .isEqualTo(new Waiting(
                        "GangIncomplete",
                        "PodGroup \"ring\" needs 2 pods, 1 exists; 1 pod of another scheduler does not count"));
        assertThat(gang.held()).containsExactly("both");

        gang.patch("Pod", "worker-1", "{spec: {nodeName: gpus-node-3}}");
        assertThat(gang.running()).contains("worker-0");
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void aMemberWithSchedulingGatesIsNamed(Schedulers schedulers) {
        var gang = new SimulatedGang(schedulers);
        gang.group(2, "");
        gang.pods(0, 0);
        gang.pod(1, SimulatedGang.OWN_CLAIM, "schedulingGates: [{name: example.com/later}]");

        assertThat(gang.waiting("worker-0"))
                .isEqualTo(new Waiting(
                        "GangIncomplete",
                        "PodGroup \"ring\" needs 2 pods at once, and pod \"worker-1\" cannot be placed: it is not scheduled before its"
                                + " scheduling gates are removed: example.com/later"));
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void aGroupIsKeptWhileItHasPods(Schedulers schedulers) {
        var gang = new SimulatedGang(schedulers);
        gang.group(1, "");
        gang.pods(0, 0);
        gang.delete("PodGroup", "ring");
        assertThat(gang.simulation().stores().podGroups().list()).hasSize(1);

        gang.delete("Pod", "worker-0");
        assertThat(gang.simulation().stores().podGroups().list()).isEmpty();
        assertThat(gang.held()).isEmpty();
    }

    /** A missing node is also reported for the whole gang, which is tried again when the node is added. */
    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void aGangWakesUpWhenANodeChanges(Schedulers schedulers) {
        var gang = new SimulatedGang(schedulers);
        gang.group(4, "");
        gang.patch("Node", "gpus-node-3", "{spec: {unschedulable: true}}");
        gang.pods(0, 3);
        assertThat(gang.waiting("worker-3").sentence())
                .startsWith("PodGroup \"ring\" needs 4 pods at once: 3 of 4 pods fit; worker-3 needs");

        gang.patch("Node", "gpus-node-3", "{spec: {unschedulable: false}}");
        assertThat(gang.running()).hasSize(4);
    }

    /** Allocates the claim {@code both} as the scheduler of worker-1 would before it binds the pod. */
    private static void reserve(SimulatedGang gang) {
        String uid = gang.simulation()
                .stores()
                .pods()
                .get("default", "worker-1")
                .orElseThrow()
                .getMetadata()
                .getUid();
        gang.patch("ResourceClaim", "both", """
                status:
                  allocation:
                    devices:
                      results: [{request: gpu, driver: gpu.example.com, pool: gpus-node-3/l40s, device: gpu-0}]
                  reservedFor: [{resource: pods, name: worker-1, uid: %s}]
                """.formatted(uid));
    }
}
