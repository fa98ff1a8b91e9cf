package dev.fakegpu.cluster.pending;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.engine.explain.GangRemedyFinder;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests what is said about pods of a PodGroup, with two nodes that have one device each. */
class GangFactsTest {

    private static final String NOT_EVEN_FREE = "; the group would not fit even if all devices were free";

    private static PendingCluster cluster(int minCount, String group) {
        return new PendingCluster().node("n1", "").node("n2", "").gang("ring", minCount, group);
    }

    private static PendingCluster with(PendingCluster cluster, String... pods) {
        for (String pod : pods) {
            cluster.claim(pod, "").pod(pod, pod, ", schedulingGroup: {podGroupName: ring}");
        }
        return cluster;
    }

    private static List<String> facts(PendingCluster cluster) {
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

    private static String wayOut(PendingCluster cluster, String... pods) {
        String sentence =
                facts(with(cluster.gang("ring", pods.length, ""), pods)).get(0);
        String lack = "but the other pods leave too few that fit";
        assertThat(sentence).contains(" of %d pods fit".formatted(pods.length), lack);
        return sentence.substring(sentence.indexOf(lack) + lack.length());
    }

    private static PendingCluster nodes(int count) {
        PendingCluster cluster = new PendingCluster();
        for (int node = 1; node <= count; node++) {
            cluster.node("n" + node, "");
        }
        return cluster;
    }

    /** Each pod would fit alone, but the gang would not. */
    @Test
    void aHolderInTheWayOfAGangIsNamed() {
        assertThat(wayOut(nodes(2).holder("other", "h", "n1"), "worker-0", "worker-1"))
                .isEqualTo("; delete pod other/h");
        assertThat(wayOut(nodes(2).holder("team", "h", "n2"), "worker-0", "worker-1"))
                .isEqualTo("; delete pod h");
    }

    @Test
    void holdersInTheWayOfAGangAreNamedIfAllOfThemAreNeeded() {
        PendingCluster cluster =
                nodes(4).holder("team", "a", "n1").holder("team", "b", "n2").holder("team", "c", "n3");

        assertThat(wayOut(cluster, "worker-0", "worker-1")).isEqualTo("; delete pod a");
        assertThat(wayOut(cluster, "worker-0", "worker-1", "worker-2")).isEqualTo("; delete pods a, b");
        assertThat(wayOut(cluster, "worker-0", "worker-1", "worker-2", "worker-3"))
                .isEqualTo("; delete pods a, b, c");
        assertThat(wayOut(
                        nodes(5).holder("team", "a", "n1")
                                .holder("team", "b", "n2")
                                .holder("team", "c", "n3")
                                .holder("team", "d", "n4"),
                        "worker-0",
                        "worker-1",
                        "worker-2",
                        "worker-3",
                        "worker-4"))
                .as("more than the sentence can name")
                .isEmpty();
    }

    /** Deleting the pod that is in the way of one pod of the gang would not help. */
    @Test
    void ifNoPodOfAGangFitsTheWayOutIsThatOfTheWholeGang() {
        PendingCluster cluster = nodes(2).holder("team", "a", "n1").holder("team", "b", "n2");

        assertThat(facts(with(cluster.gang("ring", 2, ""), "worker-0", "worker-1")))
                .containsExactly(
                        "PodGroup \"ring\" needs 2 pods at once: none of 2 pods fits; worker-0 needs 1 device of class"
                                + " \"gpu.vendor.com\", but too few are free; delete pods a, b");
    }

    /** There is no way out for the gang, since no sentence names so many pods. */
    @Test
    void aHolderInTheWayOfOnlyOnePodOfAGangIsNotNamed() {
        PendingCluster cluster = nodes(4).holder("team", "a", "n1")
                .holder("team", "b", "n2")
                .holder("team", "c", "n3")
                .holder("team", "d", "n4")
                .gang("ring", 4, "");

        assertThat(facts(with(cluster, "worker-0", "worker-1", "worker-2", "worker-3")))
                .singleElement()
                .asString()
                .endsWith(
                        "none of 4 pods fits; worker-0 needs 1 device of class \"gpu.vendor.com\", but too few are free");
    }

    @Test
    void ifNodesShareDevicesItIsNotKnownWhetherAGangIsTooLarge() {
        PendingCluster cluster = new PendingCluster().node("n1").node("n2").with("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: slice-of-all}
                spec: {driver: vendor.com, allNodes: true, pool: {name: all, generation: 1, resourceSliceCount: 1}, devices: [{name: gpu-0}]}
                """);

        assertThat(wayOut(cluster, "worker-0", "worker-1")).isEmpty();
    }

    @Test
    void aGangThatIsTooLargeEvenForFreeDevicesSaysSo() {
        PendingCluster cluster =
                nodes(2).holder("team", "a", "n1").holder("team", "b", "n2").gang("ring", 3, "");

        assertThat(facts(with(cluster, "worker-0", "worker-1", "worker-2")))
                .singleElement()
                .asString()
                .endsWith(
                        "none of 3 pods fits; worker-0 needs 1 device of class \"gpu.vendor.com\", but too few are free"
                                + NOT_EVEN_FREE);
        assertThat(facts(with(new PendingCluster().node("n1").gang("ring", 2, ""), "worker-0", "worker-1")))
                .as("no pod would ever fit")
                .singleElement()
                .asString()
                .endsWith("for worker-0, there are no devices to allocate (request \"gpu\")");
    }

    @Test
    void ifOneChangeHelpsAllPodsOfAGangTheObstacleOfTheFirstIsNamed() {
        PendingCluster cluster = nodes(1).holder("team", "a", "n1").gang("ring", 1, "");

        assertThat(facts(with(cluster, "worker-0", "worker-1")))
                .singleElement()
                .asString()
                .endsWith(
                        "none of 2 pods fits; for worker-0, no device for request \"gpu\": gpu-0 is held by a; delete pod a");
    }

    @Test
    void holdersWhoseDevicesDoNotHelpAGangAreNotNamed() {
        PendingCluster cordoned =
                nodes(2).with("""
                apiVersion: v1
                kind: Node
                metadata: {name: n0}
                spec: {unschedulable: true}
                status: {conditions: [{type: Ready, status: "True"}], allocatable: {pods: "110"}}
                """).with("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: slice-n0}
                spec: {driver: vendor.com, nodeName: n0, pool: {name: n0, generation: 1, resourceSliceCount: 1}, devices: [{name: gpu-0}]}
                """).holder("team", "a", "n0").holder("team", "b", "n1");

        assertThat(wayOut(cordoned, "worker-0", "worker-1")).isEqualTo("; delete pod b");
        assertThat(wayOut(nodes(2).holder("team", "b", "n1"), "worker-0", "worker-1", "worker-2"))
                .isEqualTo(NOT_EVEN_FREE);
    }

    @Test
    void podsOfAGangAreNotInItsWay() {
        PendingCluster cluster = with(nodes(2).gang("ring", 3, ""), "worker-0", "worker-1")
                .holder("team", "worker-2", "n2", ", schedulingGroup: {podGroupName: ring}");

        assertThat(facts(cluster)).singleElement().asString().endsWith("leave too few that fit" + NOT_EVEN_FREE);
    }

    @Test
    void aMistakeInAClaimOfAGangIsNamedWithItsPod() {
        PendingCluster cluster = with(cluster(2, ""), "worker-0")
                .with("""
                        apiVersion: resource.k8s.io/v1
                        kind: ResourceClaim
                        metadata: {namespace: team, name: misspelt}
                        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.vednor.com}}]}}
                        """)
                .pod("worker-1", "misspelt", ", schedulingGroup: {podGroupName: ring}");

        assertThat(facts(cluster))
                .containsExactly(
                        "PodGroup \"ring\" needs 2 pods at once, and pod \"worker-1\" cannot be placed: request"
                                + " \"gpu\" is for device class \"gpu.vednor.com\", which does not exist (did you mean"
                                + " \"gpu.vendor.com\"?)");
    }

    @Test
    void taintedDevicesInTheWayOfAGangAreNamed() {
        assertThat(wayOut(
                        nodes(1).node("n2", ", taints: [{key: vendor.com/reserved, effect: NoSchedule}]"),
                        "worker-0",
                        "worker-1"))
                .isEqualTo("; it would fit if the request tolerated the taint vendor.com/reserved:NoSchedule");
        assertThat(wayOut(
                        nodes(1).node("n2", ", taints: [{key: vendor.com/unhealthy, effect: NoSchedule}]"),
                        "worker-0",
                        "worker-1"))
                .isEqualTo("; it would fit if vendor.com/n2/gpu-0 recovered");
    }

    /** Each attempt takes time for each pod. */
    @Test
    void nothingIsTriedForLargeGangs() {
        for (int pods : List.of(GangRemedyFinder.MAX_PODS, GangRemedyFinder.MAX_PODS + 1)) {
            String[] names =
                    IntStream.range(0, pods).mapToObj(pod -> "worker-" + pod).toArray(String[]::new);
            assertThat(wayOut(nodes(pods).holder("team", "h", "n7"), names))
                    .isEqualTo(pods == GangRemedyFinder.MAX_PODS ? "; delete pod h" : "");
        }
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
}
