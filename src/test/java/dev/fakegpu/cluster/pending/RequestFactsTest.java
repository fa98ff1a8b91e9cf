package dev.fakegpu.cluster.pending;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RequestFactsTest {

    private static List<String> facts(String request) {
        return new PendingCluster()
                        .node("n1", "")
                        .claim("training", "")
                        .with("""
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: train}
                spec:
                  containers: [{name: main, resources: {claims: [{name: gpus%s}]}}, {name: sidecar}]
                  resourceClaims: [{name: gpus, resourceClaimName: training}]
                """.formatted(request))
                        .explainer()
                        .pod("team", "train")
                        .facts()
                        .stream()
                        .filter(fact -> fact.startsWith("container"))
                        .toList();
    }

    @Test
    void requestsThatTheClaimDoesNotHaveAreNamed() {
        assertThat(facts(", request: gpuu"))
                .containsExactly(
                        "container \"main\" gets no devices of claim \"gpus\" for request \"gpuu\", and Kubernetes does"
                                + " not say so: the claim has only the request \"gpu\"");
    }

    @Test
    void containersCanNameARequestOrTheWholeClaim() {
        assertThat(facts(", request: gpu")).isEmpty();
        assertThat(facts("")).isEmpty();
    }

    @Test
    void aClaimWithoutSpecIsSkipped() {
        var explained =
                new PendingCluster().node("n1", "").with("""
                        apiVersion: resource.k8s.io/v1
                        kind: ResourceClaim
                        metadata: {namespace: team, name: training}
                        ---
                        apiVersion: v1
                        kind: Pod
                        metadata: {namespace: team, name: train}
                        spec:
                          containers: [{name: main, resources: {claims: [{name: gpus, request: gpu}]}}]
                          resourceClaims: [{name: gpus, resourceClaimName: training}]
                        """).explainer().pod("team", "train");

        assertThat(explained.facts()).noneMatch(fact -> fact.startsWith("container"));
    }
}
