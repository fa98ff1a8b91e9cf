package dev.fakegpu.cluster.pending;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeLabelFactsTest {

    private static List<String> facts(String spec) {
        return facts(List.of("east-1", "west-1"), spec);
    }

    private static List<String> facts(List<String> zones, String spec) {
        PendingCluster cluster = new PendingCluster();
        for (String zone : zones) {
            cluster.with("""
                    apiVersion: v1
                    kind: Node
                    metadata: {name: node-%1$s, labels: {topology.kubernetes.io/zone: %1$s}}
                    spec: {}
                    status: {conditions: [{type: Ready, status: "True"}], allocatable: {pods: "110"}}
                    """.formatted(zone));
        }
        return cluster.claim("c", "").pod("train", "c", spec).explainer().pod("team", "train").facts().stream()
                .filter(fact -> fact.startsWith("the pod requires"))
                .toList();
    }

    private static String affinity(String terms) {
        return ", affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [%s]}}}"
                .formatted(terms);
    }

    private static String zoneIn(String zones) {
        return "{matchExpressions: [{key: topology.kubernetes.io/zone, operator: In, values: [%s]}]}".formatted(zones);
    }

    @Test
    void aValueThatNoNodeHasIsNamedWithThoseThatNodesHave() {
        assertThat(facts(", nodeSelector: {topology.kubernetes.io/zone: esat-1}"))
                .containsExactly(
                        "the pod requires a node with label topology.kubernetes.io/zone=esat-1, which no node has"
                                + " (did you mean \"east-1\"?); nodes have east-1, west-1");
        assertThat(facts(affinity(zoneIn("north-1, north-2"))))
                .containsExactly(
                        "the pod requires a node with label topology.kubernetes.io/zone=north-1 or north-2, which no"
                                + " node has; nodes have east-1, west-1");
    }

    @Test
    void aLabelThatNoNodeHasIsNamed() {
        assertThat(facts(", nodeSelector: {topology.kubernetes.io/zoen: east-1}"))
                .containsExactly(
                        "the pod requires a node with label topology.kubernetes.io/zoen, which no node has (did you"
                                + " mean \"topology.kubernetes.io/zone\"?)");
    }

    /** Comparing many values takes long, and one of them is similar anyway. */
    @Test
    void amongManyValuesThereIsNoHint() {
        List<String> zones =
                IntStream.range(100, 201).mapToObj(zone -> "zone-" + zone).toList();
        String nodes = "nodes have zone-100, zone-101,";

        assertThat(facts(zones.subList(0, 100), ", nodeSelector: {topology.kubernetes.io/zone: zone-1x1}"))
                .singleElement()
                .asString()
                .contains("(did you mean \"zone-101\"?); " + nodes);
        assertThat(facts(zones, ", nodeSelector: {topology.kubernetes.io/zone: zone-1x1}"))
                .singleElement()
                .asString()
                .contains("which no node has; " + nodes);
    }

    @Test
    void labelsThatANodeHasAreNotTheProblem() {
        assertThat(facts(", nodeSelector: {topology.kubernetes.io/zone: east-1}"))
                .isEmpty();
        assertThat(facts(affinity(zoneIn("north-1") + ", " + zoneIn("north-2"))))
                .as("alternatives")
                .isEmpty();
    }
}
