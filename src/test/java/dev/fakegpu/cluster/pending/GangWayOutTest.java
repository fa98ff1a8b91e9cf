package dev.fakegpu.cluster.pending;

import static dev.fakegpu.cluster.pending.GangFactsTest.NOT_EVEN_FREE;
import static dev.fakegpu.cluster.pending.GangFactsTest.cluster;
import static dev.fakegpu.cluster.pending.GangFactsTest.facts;
import static dev.fakegpu.cluster.pending.GangFactsTest.with;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.engine.explain.GangRemedyFinder;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests what is said would make a gang fit. */
class GangWayOutTest {

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

    /** A pod of the gang was replaced, for example, and its device is gone. */
    @Test
    void aGangWhoseOwnPodsHoldTheDevicesNeedsMore() {
        String ofGang = ", schedulingGroup: {podGroupName: ring}";
        PendingCluster cluster = nodes(1).gang("ring", 2, "")
                .holder("team", "ring-0", "n1", ofGang)
                .claim("ring-1", "")
                .pod("ring-1", "ring-1", ofGang);

        assertThat(cluster.explainer().pod("team", "ring-1").sentence())
                .endsWith("for ring-1, no device for request \"gpu\": gpu-0 is held by ring-0; more devices are needed,"
                        + " because pods of its own PodGroup hold devices that fit");
    }

    /** No sentence names so many pods, but the gang would fit without them. */
    @Test
    void noMoreDevicesAreNeededIfOtherPodsHoldEnough() {
        String moreAreNeeded = "; more devices are needed, because pods of its own PodGroup hold devices that fit";

        assertThat(sentenceAboutFourDevices("a", "b", "c", "d"))
                .endsWith("worker-0 needs 4 devices of class \"gpu.vendor.com\", but too few are free");
        assertThat(sentenceAboutFourDevices("a", "b", "c")).contains(moreAreNeeded);
    }

    /** A pod of a gang waits for as many devices as another of its pods holds on one node, and others on another node. */
    private static String sentenceAboutFourDevices(String... others) {
        String ofGang = ", schedulingGroup: {podGroupName: ring}";
        String[] own = {"0", "1", "2", "3"};
        PendingCluster cluster = devices(devices(new PendingCluster(), "n1", own), "n2", others)
                .gang("ring", 2, "")
                .with(claimOfFour("ring-0", """
                        status:
                          allocation: {devices: {results: [%s]}}
                        """.formatted(
                        Stream.of(own).map(device -> result("n1", device)).collect(joining(", ")))))
                .with("""
                        apiVersion: v1
                        kind: Pod
                        metadata: {namespace: team, name: ring-0}
                        spec: {containers: [], nodeName: n1, resourceClaims: [{name: gpu, resourceClaimName: ring-0}]%s}
                        status: {phase: Running}
                        """.formatted(ofGang))
                .with(claimOfFour("worker-0", ""))
                .pod("worker-0", "worker-0", ofGang);
        for (String other : others) {
            cluster.with("""
                    apiVersion: resource.k8s.io/v1
                    kind: ResourceClaim
                    metadata: {namespace: team, name: %s}
                    spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.vendor.com}}]}}
                    status: {allocation: {devices: {results: [%s]}}}
                    """.formatted(other, result("n2", other)));
        }
        return facts(cluster).get(0);
    }

    private static PendingCluster devices(PendingCluster cluster, String node, String... devices) {
        return cluster.node(node).with("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: slice-%1$s}
                spec:
                  driver: vendor.com
                  nodeName: %1$s
                  pool: {name: %1$s, generation: 1, resourceSliceCount: 1}
                  devices: [%2$s]
                """.formatted(
                node, Stream.of(devices).map("{name: gpu-%s}"::formatted).collect(joining(", "))));
    }

    private static String claimOfFour(String name, String status) {
        return """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: team, name: %s}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.vendor.com, allocationMode: ExactCount, count: 4}}]}}
                """.formatted(name) + status;
    }

    private static String result(String node, String device) {
        return "{request: gpu, driver: vendor.com, pool: %s, device: gpu-%s}".formatted(node, device);
    }
}
