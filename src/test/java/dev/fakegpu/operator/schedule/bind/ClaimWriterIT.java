package dev.fakegpu.operator.schedule.bind;

import static dev.fakegpu.testing.FakeGpuAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.testing.ControlPlaneExtension;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the writes for a claim that changes between a decision and its first write. */
class ClaimWriterIT {

    private static final String NAMESPACE = "claim-writer";

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private final KubernetesClient client = controlPlane.client();
    private final ClaimWriter writer = new ClaimWriter(ObjectClient.of(client), new ObjectStore<>(), Clock.systemUTC());
    private ResourceClaim decided;

    @BeforeAll
    static void namespace() {
        controlPlane
                .client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
    }

    @BeforeEach
    void decide() {
        decided = client.resource(new ResourceClaimBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName("claim-" + UUID.randomUUID())
                        .endMetadata()
                        .withNewSpec()
                        .withNewDevices()
                        .addNewRequest()
                        .withName("gpu")
                        .withNewExactly()
                        .withDeviceClassName("gpu.nvidia.com")
                        .endExactly()
                        .endRequest()
                        .endDevices()
                        .endSpec()
                        .build())
                .create();
    }

    @Test
    void explanationDoesNotConflictWithADecision() {
        // Given
        writer.explain(decided, "DevicesInUse: gpu-0 is held by default/a");

        // When
        ResourceClaim stored = writer.protect(decided);

        // Then
        assertThat(stored).isProtected().hasNoNotAllocatedReason();
    }

    @Test
    void otherChangeConflictsWithADecision() {
        // Given
        client.resource(new ResourceClaimBuilder(decided)
                        .editMetadata()
                        .addToLabels("team", "b")
                        .endMetadata()
                        .build())
                .update();

        // When, then
        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> writer.protect(decided))
                .satisfies(e -> assertThat(e.getCode()).isEqualTo(409));
    }

    @Test
    void aClaimThatIsGoneIsNotProtected() {
        // Given
        client.resource(decided).delete();

        // When, then
        assertThatExceptionOfType(KubernetesClientException.class).isThrownBy(() -> writer.protect(decided));
    }
}
