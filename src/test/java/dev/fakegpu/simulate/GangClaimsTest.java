package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.ClaimConsumer;
import dev.fakegpu.simulate.ClusterView.ClaimRow;
import dev.fakegpu.simulate.ClusterView.PodRow;
import dev.fakegpu.simulate.ClusterView.Waiting;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Claims that the pods of a PodGroup share, and claims for extended resources. */
class GangClaimsTest {

    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void theClaimOfAGroupIsReservedForItOnce(Schedulers schedulers) {
        var gang = new SimulatedGang(schedulers);
        gang.group(2, ", resourceClaims: [{name: gpu, resourceClaimTemplateName: one}]");
        gang.pods(0, 2);

        assertThat(gang.running()).containsExactly("worker-0", "worker-1", "worker-2");
        ClaimRow claim = gang.view().claim("default", "ring-gpu").orElseThrow();
        assertThat(gang.view().claims()).hasSize(1);
        assertThat(claim.pods()).isEmpty();
        assertThat(claim.otherConsumers()).containsExactly(new ClaimConsumer("scheduling.k8s.io", "podgroups", "ring"));

        // When: its pods are gone, but not the group
        for (int pod = 0; pod < 3; pod++) {
            gang.delete("Pod", "worker-" + pod);
        }
        assertThat(gang.held()).containsExactly("ring-gpu");
        gang.delete("PodGroup", "ring");

        // Then
        assertThat(gang.view().claims()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void aClaimThatPodsShareIsReservedForEachOfThem(Schedulers schedulers) {
        var gang = new SimulatedGang(schedulers);
        gang.createSharedClaim();
        gang.group(2, "");
        gang.pod(0, "resourceClaimName: both", "");
        assertThat(gang.held()).isEmpty();
        gang.pod(1, "resourceClaimName: both", "");

        assertThat(gang.running()).containsExactly("worker-0", "worker-1");
        assertThat(gang.view().claim("default", "both").orElseThrow().pods())
                .containsExactlyInAnyOrder("worker-0", "worker-1");
        assertThat(gang.view().pods().stream().map(PodRow::node).collect(Collectors.toSet()))
                .hasSize(1);
    }

    /** The gang is refused before anything is written, because the claim of the group would be reserved only once. */
    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void aClaimIsSharedBySoManyPodsOnly(Schedulers schedulers) {
        var gang = new SimulatedGang(schedulers);
        gang.createSharedClaim();
        capacity(gang, 300);
        gang.group(257, "");
        gang.apply(IntStream.range(0, 257)
                .mapToObj(pod -> gang.podYaml("worker-" + pod, "resourceClaimName: both"))
                .collect(Collectors.joining("---\n")));

        String why =
                "ResourceClaim \"both\" would be reserved for more than 256 consumers, which is the most that the API"
                        + " allows; if the PodGroup lists the claim, it is reserved once for all pods of the group";
        assertThat(gang.held()).isEmpty();
        assertThat(gang.waiting("worker-256")).isEqualTo(new Waiting("ClaimsUnavailable", why));
        assertThat(gang.waiting("worker-0"))
                .isEqualTo(new Waiting(
                        "GangIncomplete",
                        "PodGroup \"ring\" needs 257 pods at once, and pod \"worker-256\" cannot be placed: " + why));

        // When: this number is enough
        gang.minCount(256);

        // Then
        assertThat(gang.running()).hasSize(256).doesNotContain("worker-256");
        gang.delete("Pod", "worker-0");
        assertThat(gang.running()).hasSize(256).contains("worker-256");
    }

    /** It waits for two pods to go, none of which belongs to it. */
    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void aGangWaitsUntilItsClaimHasRoomForEnoughPods(Schedulers schedulers) {
        var gang = new SimulatedGang(schedulers);
        gang.createSharedClaim();
        capacity(gang, 300);
        gang.apply(IntStream.range(0, 254)
                .mapToObj(pod -> gang.podYaml("other-" + pod, "resourceClaimName: both")
                        .replace("schedulingGroup: {podGroupName: ring}", ""))
                .collect(Collectors.joining("---\n")));
        assertThat(gang.running()).hasSize(254);
        gang.group(4, "");
        for (int pod = 0; pod < 4; pod++) {
            gang.pod(pod, "resourceClaimName: both", "");
        }
        assertThat(gang.running()).hasSize(254);

        gang.delete("Pod", "other-0");
        assertThat(gang.running()).hasSize(253);
        gang.delete("Pod", "other-1");
        assertThat(gang.running()).hasSize(256).contains("worker-3");
    }

    /** On gpus-node-0, a device plugin serves the extended resource, so that the pod there needs no claim. */
    @ParameterizedTest
    @EnumSource(names = {"COMPANION", "KUBE"})
    void membersNeedAClaimForExtendedResourcesWhereNoDevicePluginServesThem(Schedulers schedulers) {
        var gang = new SimulatedGang(schedulers);
        String resource = "deviceclass.resource.kubernetes.io/gpu.example.com";
        gang.patch("Node", "gpus-node-0", "{status: {allocatable: {%s: 1}}}".formatted(resource));
        gang.group(4, "");
        for (int pod = 0; pod < 4; pod++) {
            gang.apply(gang.podYaml("worker-" + pod, "resourceClaimName: none")
                    .replaceAll("\\n.*resourceClaims:.*", "")
                    .replace(
                            "claims: [{name: gpu}], requests: {",
                            "limits: {%1$s: 1}, requests: {%1$s: 1, ".formatted(resource)));
        }

        assertThat(gang.running()).hasSize(4);
        assertThat(gang.held()).hasSize(3);
    }

    private static void capacity(SimulatedGang gang, int amount) {
        String resources = "{pods: \"%1$d\", cpu: \"%1$d\"}".formatted(amount);
        for (int node = 0; node < 4; node++) {
            gang.patch(
                    "Node",
                    SimulatedGang.node(node),
                    "{status: {capacity: %1$s, allocatable: %1$s}}".formatted(resources));
        }
    }
}
