package dev.fakegpu.e2e.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.e2e.support.ClusterScenario;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests pods with claims: templates, shared claims, several claims, nodes, and objects that other clients wrote. */
class PodsE2E {

    private static final String GPU = "gpu.example.com";

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withControllerManager();

    private final KubernetesClient client = cluster.client();

    @AutoClose
    private final ClusterScenario scenario = new ClusterScenario(client, AllocatorName.Companion);

    // --- objects that other clients wrote ---

    /** The API server does not check allocations; the preparer is the last line of defense. */
    @Test
    void incompatibleAllocationWrittenByHandFailsToBePrepared() {
        // Given
        scenario.apply("example-3.yaml");
        scenario.podWithClaim("holder", GPU, "mig-1g");
        scenario.awaitRunning("holder");
        scenario.claim("by-hand", GPU, "vgpu");

        // When
        scenario.pod(
                "by-hand",
                List.of("by-hand"),
                pod -> pod.editSpec()
                        .withSchedulerName("nobody")
                        .withNodeName("example-3-node-0")
                        .endSpec());
        var device = new DeviceId(GPU, "example-3-node-0/example-3", "gpu-0-vgpu-0");
        allocateByHand("by-hand", "by-hand", device);

        // Then
        var problem = "gpu-0-vgpu-0 needs the hardware behind gpu-0-counters configured as \"vgpu\", but it is"
                + " configured as \"mig\" for holder (gpu-0-mig-1g-0)";
        scenario.messages("by-hand", "FailedPrepareDynamicResources")
                .satisfies(messages -> assertThat(messages)
                        .contains(
                                "Failed to prepare dynamic resources: prepare dynamic resources: NodePrepareResources failed for"
                                        + " ResourceClaim by-hand: " + problem));
        scenario.claim("by-hand")
                .map(claim -> DeviceStatuses.readyCondition(claim, device))
                .satisfies(ready -> assertThat(ready).hasValueSatisfying(condition -> {
                    assertThat(condition.getStatus()).isEqualTo("False");
                    assertThat(condition.getReason()).isEqualTo("PrepareFailed");
                    assertThat(condition.getMessage()).isEqualTo(problem);
                }));
        scenario.pod("by-hand").map(pod -> pod.getStatus().getPhase()).isEqualTo("Pending");

        // When
        scenario.deletePod("holder");

        // Then
        scenario.awaitRunning("by-hand");
    }

    /** Reserving allocated claims is left to kube-controller-manager, which does it for every pod that has a node. */
    @Test
    void podWithANodeWaitsForItsClaim() {
        // Given
        scenario.apply("example-3.yaml");
        scenario.claim("late", GPU, "mig-1g");
        scenario.pod(
                "bound",
                List.of("late"),
                pod -> pod.editSpec()
                        .withSchedulerName("nobody")
                        .withNodeName("example-3-node-0")
                        .endSpec());
        scenario.awaitEvent(
                "bound", "FailedPrepareDynamicResources", "pod bound (", "is not allowed to use ResourceClaim late (");

        // When
        client.resource(new ResourceClaimBuilder(scenario.claim("late").now())
                        .editMetadata()
                        .addToLabels(Labels.ALLOCATE, "true")
                        .endMetadata()
                        .build())
                .update();

        // Then
        scenario.awaitRunning("bound");
        scenario.claim("late").map(PodsE2E::reservedFor).isEqualTo(List.of("bound"));
    }

    // --- helpers ---

    private static List<String> reservedFor(ResourceClaim claim) {
        return claim.getStatus().getReservedFor().stream()
                .map(consumer -> consumer.getName())
                .toList();
    }

    private void allocateByHand(String claim, String pod, DeviceId device) {
        client.resource(new ResourceClaimBuilder(scenario.claim(claim).now())
                        .withNewStatus()
                        .withNewAllocation()
                        .withNewDevices()
                        .addNewResult()
                        .withRequest("gpu")
                        .withDriver(device.driver())
                        .withPool(device.pool())
                        .withDevice(device.device())
                        .endResult()
                        .endDevices()
                        .endAllocation()
                        .addNewReservedFor()
                        .withResource("pods")
                        .withName(pod)
                        .withUid(scenario.pod(pod).now().getMetadata().getUid())
                        .endReservedFor()
                        .endStatus()
                        .build())
                .updateStatus();
    }
}
