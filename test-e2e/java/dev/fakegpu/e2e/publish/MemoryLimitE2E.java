package dev.fakegpu.e2e.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.e2e.support.OperatorProcess;
import dev.fakegpu.e2e.support.SingleRequestClaims;
import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An operator whose memory is too small for a FakeGpu publishes what it can, says so, and goes on with that. */
@Tag("long")
class MemoryLimitE2E {

    private static final String DRIVER = "gpu.example.com";

    @Test
    void theOperatorStopsPublishingBeforeItsMemoryIsFull() {
        try (var controlPlane = ControlPlane.start(ControlPlaneOptions.apiServerOnly());
                var operator = OperatorProcess.start(controlPlane, Map.of(OperatorProcess.HEAP, "96m"))) {
            var client = controlPlane.client();
            client.resource(client.getKubernetesSerialization().unmarshal("""
                            apiVersion: fakegpu.dev/v1alpha1
                            kind: FakeGpu
                            metadata: {name: large}
                            spec:
                              model: A100-SXM4-40GB
                              count: 8
                              nodes: {simulated: {count: 300}}
                              partitions: {mig: {profiles: [All]}, vgpu: {types: [All]}, vfio: true}
                            """, GenericKubernetesResource.class))
                    .create();

            Awaitility.await()
                    .until(() -> published(client)
                            .filter(condition -> condition.getReason().equals("MemoryLimit"))
                            .isPresent());
            assertThat(published(client).orElseThrow().getMessage())
                    .contains("of 300 node(s)")
                    .contains("raise the memory limit of its Deployment");
            assertThat(operator.metrics()).contains("fakegpu_memory_limited 1.0");

            allocate(client);
            operator.assertHealthy();
        }
    }

    /** Empty as long as there is no status. */
    private static Optional<Condition> published(KubernetesClient client) {
        var status = client.resources(FakeGpu.class).withName("large").get().getStatus();
        return status == null
                ? Optional.empty()
                : status.conditions().stream()
                        .filter(condition -> condition.getType().equals("Published"))
                        .findFirst();
    }

    private static void allocate(KubernetesClient client) {
        client.resource(SingleRequestClaims.ofType("default", "claim", DRIVER, "gpu")
                        .editMetadata()
                        .addToLabels("fakegpu.dev/allocate", "true")
                        .endMetadata()
                        .build())
                .create();
        Awaitility.await().untilAsserted(() -> {
            ResourceClaim claim = client.resources(ResourceClaim.class)
                    .inNamespace("default")
                    .withName("claim")
                    .get();
            assertThat(claim.getStatus()).isNotNull();
            assertThat(claim.getStatus().getAllocation()).isNotNull();
        });
    }
}
