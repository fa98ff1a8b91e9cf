package dev.fakegpu.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fakegpu.testing.ControlPlaneExtension;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ObjectClientIT {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private final KubernetesClient client = controlPlane.client();

    /** Users can make an object so large that etcd does not store what others add to it. They must not have to wait for it. */
    @Test
    void writeOfAnObjectThatBecomesTooLargeIsRefusedAtOnce() {
        // Given
        Pod stored = client.resource(pod(1_450_000)).create();
        Pod larger = new PodBuilder(stored)
                .editMetadata()
                .addToAnnotations("a", "x".repeat(200_000))
                .endMetadata()
                .build();
        long begin = System.nanoTime();

        // When
        var refusal = catchThrowableOfType(
                KubernetesClientException.class, () -> ObjectClient.of(client).update(stored, larger));

        // Then
        assertThat(refusal).hasMessageContaining("request is too large").matches(Refusals::isRefusal);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
    }

    private static Pod pod(int bytes) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("large")
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("i")
                .addNewEnv()
                .withName("A")
                .withValue("x".repeat(bytes))
                .endEnv()
                .endContainer()
                .endSpec()
                .build();
    }
}
