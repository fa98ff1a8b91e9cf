package dev.fakegpu.cluster.pending;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests what is said about pods of a PodGroup, with two nodes that have one device each. */
class GangFactsTest {

    static final String NOT_EVEN_FREE = "; the group would not fit even if all devices were free";

    static PendingCluster cluster(int minCount, String group) {
        return new PendingCluster().node("n1", "").node("n2", "").gang("ring", minCount, group);
    }

    static PendingCluster with(PendingCluster cluster, String... pods) {
        for (String pod : pods) {
            cluster.claim(pod, "").pod(pod, pod, ", schedulingGroup: {podGroupName: ring}");
        }
        return cluster;
    }

    static List<String> facts(PendingCluster cluster) {
        Answer answer = cluster.explainer().pod("team", "worker-0");
        return Stream.concat(Stream.of(answer.sentence()), answer.facts().stream())
                .filter(fact -> fact.startsWith("PodGroup"))
                .toList();
    }

    @Test
    void missingPodsOfAGangAreCounted() {
        assertThat(facts(with(cluster(2, ""), "worker-0"))).containsExactly("PodGroup \"ring\" needs 2 pods, 1 exists");
    }

    /** The devices count once there are enough pods. */
    @Test
    void noHolderIsInTheWayOfAnIncompleteGang() {
        assertThat(holdersInTheWay(2)).isEmpty();
        assertThat(holdersInTheWay(1)).isNotEmpty();
    }

    private static List<String> holdersInTheWay(int minCount) {
        PendingCluster cluster = with(
                new PendingCluster()
                        .node("n1", "")
                        .holder("team", "other", "n1")
                        .gang("ring", minCount, ""),
                "worker-0");
        return cluster.explainer().pod("team", "worker-0").evidence().stream()
                .flatMap(evidence -> evidence.explanation().stream())
                .flatMap(explanation -> explanation.findings().stream())
                .flatMap(finding -> finding.blockers().stream())
                .map(Object::toString)
                .toList();
    }

    @Test
    void podsOfAnotherSchedulerDoNotCount() {
        PendingCluster cluster = with(cluster(2, ""), "worker-0", "worker-1");
        PendingCluster other = with(cluster(2, ""), "worker-0")
                .pod("worker-1", "worker-1", ", schedulingGroup: {podGroupName: ring}", "other-scheduler");

        assertThat(facts(cluster)).containsExactly("PodGroup \"ring\" needs 2 pods at once: all pods fit");
        assertThat(facts(other))
                .containsExactly("PodGroup \"ring\" needs 2 pods, 1 exists; 1 pod of another scheduler does not count");
    }

    @Test
    void aGangThatFitsSaysSo() {
        assertThat(facts(with(cluster(2, ""), "worker-0", "worker-1")))
                .containsExactly("PodGroup \"ring\" needs 2 pods at once: all pods fit");
        assertThat(facts(with(cluster(2, ""), "worker-0", "worker-1", "worker-2")))
                .containsExactly("PodGroup \"ring\" needs 2 pods at once: 2 of 3 pods fit");
    }

    /** The gang is the obstacle: each of its pods alone would get a device. */
    @Test
    void placesForAGangThatDoesNotFitAreCounted() {
        PendingCluster cluster = with(cluster(3, ""), "worker-0", "worker-1", "worker-2");

        assertThat(facts(cluster))
                .containsExactly(
                        "PodGroup \"ring\" needs 3 pods at once: 2 of 3 pods fit; worker-2 needs 1 device of class"
                                + " \"gpu.vendor.com\", but the other pods leave too few that fit" + NOT_EVEN_FREE);
    }

    @Test
    void aTopologyConstraintCounts() {
        PendingCluster cluster = with(
                cluster(2, ", schedulingConstraints: {topology: [{key: example.com/rack}]}"), "worker-0", "worker-1");

        assertThat(facts(cluster))
                .singleElement()
                .asString()
                .startsWith(
                        "PodGroup \"ring\" needs 2 pods at once, on nodes with the same value of label example.com/rack: none of");
    }

    @Test
    void whatDevicesTakeOfNodesCounts() {
        String takesCpu =
                ", capacity: {cpus: {value: '4'}}, nodeAllocatableResources: {cpu: {mapping: {capacityKey: cpus}}}";
        PendingCluster cluster = new PendingCluster()
                .node("n1", takesCpu) // the nodes have no cpu
                .node("n2", "")
                .gang("ring", 2, "");

        assertThat(facts(with(cluster, "worker-0", "worker-1")))
                .singleElement()
                .asString()
                .startsWith("PodGroup \"ring\" needs 2 pods at once: 1 of 2 pods fits");
    }

    @Test
    void whatDevicesOfExtendedResourcesTakeOfNodesCounts() {
        String takesCpu = ", nodeAllocatableResources: {cpu: {mapping: {deviceMultiplier: '4'}}}";
        PendingCluster cluster = new PendingCluster()
                .node("n1", takesCpu) // the nodes have no cpu
                .node("n2", "")
                .gang("ring", 2, "");

        assertThat(facts(withExtendedResources(cluster, 2)))
                .singleElement()
                .asString()
                .startsWith("PodGroup \"ring\" needs 2 pods at once: 1 of 2 pods fits");
    }

    /** On n1, the device plugin serves the resource, so the pod there needs no claim. */
    @Test
    void aPodMayNeedDifferentClaimsOnDifferentNodes() {
        PendingCluster cluster = new PendingCluster().node("n1").with("""
                        apiVersion: v1
                        kind: Node
                        metadata: {name: n1}
                        spec: {}
                        status:
                          conditions: [{type: Ready, status: "True"}]
                          allocatable: {pods: "110", vendor.com/gpu: "1"}
                        """).node("n2", "");

        assertThat(facts(withExtendedResources(cluster.gang("ring", 3, ""), 3)))
                .singleElement()
                .asString()
                .startsWith("PodGroup \"ring\" needs 3 pods at once: 2 of 3 pods fit; ");
    }

    /** Pods that need the same are interchangeable, even if each has several claims. */
    @Test
    void equalPodsAreNotTriedInEveryOrder() {
        PendingCluster extended = new PendingCluster().gang("ring", 11, "");
        PendingCluster claims = new PendingCluster().gang("ring", 11, "");
        for (int node = 0; node < 10; node++) {
            extended.node("n" + node, "");
            claims.node("n" + node, "}, {name: gpu-1");
        }
        for (int pod = 0; pod < 11; pod++) {
            claims.claim("one-" + pod, "")
                    .claim("two-" + pod, "")
                    .pod(
                            "worker-" + pod,
                            "one-%1$d}, {name: two, resourceClaimName: two-%1$d".formatted(pod),
                            ", schedulingGroup: {podGroupName: ring}");
        }

        assertThat(facts(withExtendedResources(extended, 11)))
                .containsExactly(
                        "PodGroup \"ring\" needs 11 pods at once: 10 of 11 pods fit; worker-10 needs 1 device of"
                                + " class \"gpu.vendor.com\", but the other pods leave too few that fit"
                                + NOT_EVEN_FREE);
        assertThat(facts(claims)).singleElement().asString().contains(": 10 of 11 pods fit; worker-10 needs 1 device");
    }

    private static PendingCluster withExtendedResources(PendingCluster cluster, int pods) {
        cluster.with("""
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: gpu.vendor.com}
                spec: {extendedResourceName: vendor.com/gpu, selectors: [{cel: {expression: "device.driver == 'vendor.com'"}}]}
                """);
        for (int pod = 0; pod < pods; pod++) {
            cluster.with("""
                    apiVersion: v1
                    kind: Pod
                    metadata: {namespace: team, name: worker-%d}
                    spec:
                      schedulerName: default-scheduler
                      schedulingGroup: {podGroupName: ring}
                      containers: [{name: main, resources: {requests: {vendor.com/gpu: "1"}, limits: {vendor.com/gpu: "1"}}}]
                    status:
                      conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: "0/1 nodes are available."}]
                    """.formatted(pod));
        }
        return cluster;
    }

    @Test
    void podsWithANodeCount() {
        PendingCluster cluster = with(cluster(3, ""), "worker-0", "worker-1")
                .holder("team", "worker-2", "n2", ", schedulingGroup: {podGroupName: ring}");

        assertThat(facts(cluster))
                .singleElement()
                .asString()
                .startsWith(
                        "PodGroup \"ring\" needs 3 pods at once, of which 1 has a node: 1 of 2 pods fits; worker-1 needs");
    }

    /** As in the scheduler, a pod that cannot be placed blocks the others only if it is needed. */
    @Test
    void aPodThatIsNotReadyIsNoObstacleIfThereAreEnoughOthers() {
        PendingCluster cluster = with(cluster(2, ""), "worker-0", "worker-1")
                .pod("worker-2", "missing", ", schedulingGroup: {podGroupName: ring}");

        assertThat(facts(cluster)).containsExactly("PodGroup \"ring\" needs 2 pods at once: all pods fit");
        assertThat(facts(with(cluster(3, ""), "worker-0", "worker-1")
                        .pod("worker-2", "missing", ", schedulingGroup: {podGroupName: ring}")))
                .containsExactly("PodGroup \"ring\" needs 3 pods at once, and pod \"worker-2\" cannot be placed:"
                        + " ResourceClaim \"missing\" does not exist");
    }

    @Test
    void aPodWithSchedulingGatesIsNamed() {
        PendingCluster cluster = with(cluster(2, ""), "worker-0")
                .claim("worker-1", "")
                .pod(
                        "worker-1",
                        "worker-1",
                        ", schedulingGroup: {podGroupName: ring}, schedulingGates: [{name: example.com/later}]");

        assertThat(facts(cluster))
                .containsExactly("PodGroup \"ring\" needs 2 pods at once, and pod \"worker-1\" cannot be placed:"
                        + " it is not scheduled before its scheduling gates are removed: example.com/later");
    }

    /** The pods have equal requests but different claims: each node has one device, which belongs to the claim of the first pod there. */
    @Test
    void podsThatShareDifferentClaimsAreNotAlike() {
        PendingCluster cluster = cluster(4, "").claim("one", "").claim("other", "");
        Map.of("worker-0", "one", "worker-1", "other", "worker-2", "one", "worker-3", "other")
                .forEach((pod, claim) -> cluster.pod(pod, claim, ", schedulingGroup: {podGroupName: ring}"));

        assertThat(facts(cluster)).containsExactly("PodGroup \"ring\" needs 4 pods at once: all pods fit");
    }

    @Test
    void aClaimIsReservedForSoManyPodsOnly() {
        PendingCluster cluster = cluster(257, "").claim("both", "");
        for (int pod = 0; pod < 257; pod++) {
            cluster.pod("worker-" + pod, "both", ", schedulingGroup: {podGroupName: ring}");
        }

        assertThat(facts(cluster))
                .containsExactly(
                        "PodGroup \"ring\" needs 257 pods at once, and pod \"worker-256\" cannot be placed:"
                                + " ResourceClaim \"both\" would be reserved for more than 256 consumers, which is the most that the"
                                + " API allows; if the PodGroup lists the claim, it is reserved once for all pods of the group");
    }

    @Test
    void podsThatArePlacedOneByOneHaveNoFact() {
        assertThat(facts(with(cluster(0, ""), "worker-0"))).isEmpty();
        assertThat(facts(with(new PendingCluster().node("n1", ""), "worker-0")))
                .containsExactly("PodGroup \"ring\" does not exist");
    }

    @Test
    void moreDevicesAreAWayOutOnlyIfNothingElseHelps() {
        String ofGang = ", schedulingGroup: {podGroupName: ring}";
        PendingCluster ring = new PendingCluster()
                .node("n1", "")
                .gang("ring", 1, "")
                .holder("team", "ring-0", "n1", ofGang)
                .claim("ring-1", "")
                .pod("ring-1", "ring-1", ofGang);

        assertThat(waysOut(ring))
                .containsExactly("more devices are needed, because pods of its own PodGroup hold devices that fit");
        assertThat(waysOut(ring.node("n2", "").holder("team", "other", "n2"))).containsExactly("delete pod other");
    }

    private static List<String> waysOut(PendingCluster cluster) {
        return cluster.explainer().pod("team", "ring-1").evidence().orElseThrow().ways().stream()
                .map(Evidence.WayOut::text)
                .toList();
    }
}
