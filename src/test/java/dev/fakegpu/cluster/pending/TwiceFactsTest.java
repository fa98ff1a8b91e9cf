package dev.fakegpu.cluster.pending;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what is said about pods that have, or may get, hardware that their node offers twice. */
class TwiceFactsTest {

    private static final String NODE = """
            apiVersion: v1
            kind: Node
            metadata: {name: %s}
            spec: {}
            status: {conditions: [{type: Ready, status: "True"}], allocatable: {pods: "110", vendor.com/card: "%d"}}
            """;
    private static final String CLASS = """
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: card}
            spec: {extendedResourceName: vendor.com/card, selectors: [{cel: {expression: "device.driver == 'vendor.com'"}}]}
            """;
    private static final String OF_N1 =
            "node n1 offers the same hardware twice: 1 vendor.com/card by a device plugin, and 1 device of"
                    + " driver vendor.com in ResourceSlices, so that two pods can get the same device; switch one of them off on this node";

    private static PendingCluster cluster(int onSecond) {
        return new PendingCluster()
                .node("n1", "")
                .node("n2", "")
                .with(CLASS, NODE.formatted("n1", 1), NODE.formatted("n2", onSecond));
    }

    @Test
    void podWithADeviceThatIsAdvertisedTwiceHasAFact() {
        PendingExplainer explainer =
                cluster(0).holder("team", "a", "n1").holder("team", "b", "n2").explainer();

        assertThat(explainer.pod("team", "a").facts()).contains(OF_N1);
        assertThat(explainer.pod("team", "b").facts()).noneMatch(fact -> fact.contains("twice"));
    }

    @Test
    void podWithTheResourceHasAFact() {
        String pod = """
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: a}
                spec: {nodeName: n1, containers: [{name: main, resources: {requests: {vendor.com/card: "1"}}}]}
                """;

        assertThat(cluster(0).with(pod).explainer().pod("team", "a").facts()).containsExactly(OF_N1);
    }

    @Test
    void waitingPodHasAFactWithTheNumberOfNodes() {
        List<String> facts = cluster(1)
                .claim("wanted", "")
                .pod("a", "wanted", "")
                .explainer()
                .pod("team", "a")
                .facts();

        assertThat(facts).contains(OF_N1 + "; the same is true of 1 more node");
    }
}
