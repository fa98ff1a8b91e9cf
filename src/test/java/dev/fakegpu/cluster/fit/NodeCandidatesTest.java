package dev.fakegpu.cluster.fit;

import static dev.fakegpu.testing.TestObjects.claim;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NodeCandidatesTest {

    private static final Pod POD = new PodBuilder()
            .withNewMetadata()
            .withName("pod")
            .endMetadata()
            .withNewSpec()
            .addToNodeSelector("zone", "a")
            .endSpec()
            .build();

    @Test
    void summarySaysThatThereAreNoNodes() {
        assertThat(candidates().noneFits()).isEqualTo("there are no nodes");
    }

    @Test
    void ifAllNodesFitNoneIsCounted() {
        // When
        var candidates = candidates(ready("n1", "a"), ready("n2", "a"));

        // Then
        assertThat(names(candidates)).containsExactly("n1", "n2");
        assertThat(candidates.unfit()).isEmpty();
    }

    @Test
    void noNodeFitsAndEachReasonIsCounted() {
        // When
        var candidates = candidates(notReady("n1"), ready("n2", "b"), notReady("n3"));

        // Then
        assertThat(names(candidates)).isEmpty();
        assertThat(candidates.noneFits())
                .isEqualTo("0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector,"
                        + " 2 node(s) were not ready");
    }

    @Test
    void aNodeIsCountedForEachResourceThatIsShort() {
        // Given
        var usage = new NodeUsage();
        var pod = new PodBuilder(POD)
                .editSpec()
                .addToOverhead("cpu", new Quantity("100m"))
                .addNewContainer()
                .withNewResources()
                .addToRequests("cpu", new Quantity("1"))
                .addToRequests("example.com/card", new Quantity("1"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();

        // When
        var candidates = new NodeCandidates(
                Stream.of(ready("n1", "a"), withCpu(ready("n2", "a"), "500m"), ready("n3", "b"))
                        .map(SchedulableNode::of)
                        .toList(),
                new PodFit(pod, List.of(), usage, ExtendedResources.NONE, DeviceLookup.NONE, null));

        // Then
        assertThat(candidates.noneFits())
                .isEqualTo("0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector,"
                        + " 2 Insufficient cpu (1100m requested including 100m overhead, at most 500m free),"
                        + " 2 Insufficient example.com/card (1 requested, at most 0 free)");
    }

    @Test
    void reasonsAreInTheOrderOfKubeSchedulerWhichSortsTheirNumbersAsText() {
        // When
        var nodes = new ArrayList<Node>();
        IntStream.range(0, 10).forEach(i -> nodes.add(ready("b" + i, "b")));
        IntStream.range(0, 2).forEach(i -> nodes.add(notReady("n" + i)));
        nodes.add(new NodeBuilder(ready("full", "a"))
                .editStatus()
                .withAllocatable(Map.of())
                .endStatus()
                .build());

        // Then
        var candidates = candidates(nodes.toArray(Node[]::new));
        assertThat(candidates.noneFits())
                .isEqualTo("0/13 nodes are available: 1 Too many pods, 10 node(s) didn't match Pod's node"
                        + " affinity/selector, 2 node(s) were not ready");
        assertThat(candidates.mainReason()).isEqualTo("10 node(s) didn't match Pod's node affinity/selector, …");
    }

    @Test
    void ifSomeNodesFitTheOthersAreCounted() {
        // When
        var candidates = candidates(notReady("n1"), ready("n2", "a"));

        // Then
        assertThat(candidates.unfit()).isEqualTo("1 of 2 nodes does not fit the pod");
        assertThat(candidates.reasons()).isEqualTo("1 node(s) were not ready");
    }

    @Test
    void allocatedClaimKeepsThePodOnItsNode() {
        // When
        var candidates = candidates(List.of(claim("{}"), allocated("{}", "n2")), ready("n1", "a"), ready("n2", "a"));

        // Then
        assertThat(names(candidates)).containsExactly("n2");
        assertThat(candidates.reasons()).isEqualTo("1 node(s) cannot use an allocated ResourceClaim of the pod");
    }

    @Test
    void claimThatIsAllocatedForAllNodesRestrictsNothing() {
        // Given
        var everywhere = new ResourceClaimBuilder()
                .withNewStatus()
                .withNewAllocation()
                .endAllocation()
                .endStatus()
                .build();

        // When
        var candidates = candidates(List.of(everywhere), ready("n1", "a"));

        // Then
        assertThat(names(candidates)).containsExactly("n1");
    }

    private static NodeCandidates candidates(Node... nodes) {
        return candidates(List.of(), nodes);
    }

    private static NodeCandidates candidates(List<ResourceClaim> claims, Node... nodes) {
        return new NodeCandidates(
                Arrays.stream(nodes).map(SchedulableNode::of).toList(),
                new PodFit(POD, claims, new NodeUsage(), ExtendedResources.NONE, DeviceLookup.NONE, null));
    }

    private static Node withCpu(Node node, String cpu) {
        return new NodeBuilder(node)
                .editStatus()
                .addToAllocatable("cpu", new Quantity(cpu))
                .endStatus()
                .build();
    }

    private static List<String> names(NodeCandidates candidates) {
        return candidates.fitting().stream().map(SchedulableNode::name).toList();
    }

    /** A claim that is allocated on a node. */
    static ResourceClaim allocated(String metadata, String node) {
        return claim(
                metadata,
                "status: {allocation: {nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [%s]}]}]}}}"
                        .formatted(node));
    }

    private static Node ready(String name, String zone) {
        return node(name, zone, "True");
    }

    private static Node notReady(String name) {
        return node(name, "a", "False");
    }

    static Node node(String name, String zone, String ready) {
        return TestObjects.node(
                "{name: %s, labels: {zone: %s}}".formatted(name, zone),
                "status: {allocatable: {pods: 1}, conditions: [{type: Ready, status: '%s'}]}".formatted(ready));
    }
}
