package dev.fakegpu.cluster.fit;

import static dev.fakegpu.testing.ClusterYaml.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GangClaimsTest {

    private static final PodGroup GANG = object("""
            apiVersion: scheduling.k8s.io/v1beta1
            kind: PodGroup
            metadata: {namespace: team, name: ring}
            spec: {schedulingPolicy: {gang: {minCount: 2}}}
            """);

    private static final PodGroup BASIC = object("""
            apiVersion: scheduling.k8s.io/v1beta1
            kind: PodGroup
            metadata: {namespace: team, name: ring}
            spec: {schedulingPolicy: {basic: {}}}
            """);

    private final List<Pod> pods = List.of(
            pod("ring-0", "", "phase: Running"),
            pod("ring-1", "", "phase: Pending"),
            pod("ring-2", "", "phase: Succeeded"),
            pod("ring-3", ", deletionTimestamp: \"2026-01-01T00:00:00Z\"", "phase: Running"));

    private final AtomicInteger collected = new AtomicInteger();

    private static Pod pod(String name, String metadata, String status) {
        return object("""
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: %1$s%2$s}
                spec: {schedulingGroup: {podGroupName: ring}, resourceClaims: [{name: gpu, resourceClaimName: %1$s}]}
                status: {%3$s}
                """.formatted(name, metadata, status));
    }

    private GangClaims claims(PodGroup group) {
        return new GangClaims(
                pod -> Optional.of(group),
                (namespace, name) -> {
                    collected.incrementAndGet();
                    return pods;
                },
                pod -> new PodClaims(List.of(claim(pod.getMetadata().getName())), List.of(), false));
    }

    private static ResourceClaim claim(String name) {
        return object("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {namespace: team, name: %1$s, uid: %1$s}
                spec: {devices: {requests: []}}
                """.formatted(name));
    }

    @Test
    void claimsOfAGangAreCollectedOnceForAllOfItsPods() {
        GangClaims claims = claims(GANG);

        assertThat(pods)
                .allSatisfy(pod ->
                        assertThat(claims.of(pod).stream().map(ClaimRef::name)).contains("ring-0", "ring-1"));
        assertThat(collected).hasValue(1);
    }

    /** Their devices will be free soon. */
    @Test
    void claimsOfPodsThatEndAreNotKept() {
        assertThat(claims(GANG).of(pods.get(0)).stream().map(ClaimRef::name))
                .containsExactlyInAnyOrder("ring-0", "ring-1");
    }

    @Test
    void podsThatArePlacedOneByOneKeepNoClaims() {
        assertThat(claims(BASIC).of(pods.get(0))).isEmpty();
        assertThat(claims(BASIC).gang(pods.get(0))).isEmpty();
        assertThat(claims(GANG).gang(pods.get(0))).contains("ring");
    }
}
