package dev.fakegpu.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fakegpu.testing.ControlPlaneExtension;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.Interceptor.RequestTags;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ObjectClientIT {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private final KubernetesClient client = controlPlane.client();

    /** Other test classes use the same API server. */
    @AfterEach
    void removeObjects() {
        client.pods().inNamespace("default").withName("large").delete();
        client.policy().v1().podDisruptionBudget().inNamespace("default").delete();
    }

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
        var attempts = new AtomicInteger();

        // When
        var refusal = catchThrowableOfType(
                KubernetesClientException.class,
                () -> ObjectClient.of(counting(attempts)).update(stored, larger));

        // Then
        assertThat(refusal).hasMessageContaining("request is too large").matches(Refusals::isRefusal);
        assertThat(attempts).hasValue(3);
    }

    /** The API server does not send it to etcd. */
    @Test
    void writeOfAnObjectThatIsMuchTooLargeIsRefusedAtOnce() {
        // Given
        var attempts = new AtomicInteger();

        // When
        var refusal = catchThrowableOfType(
                KubernetesClientException.class,
                () -> ObjectClient.of(counting(attempts)).create(pod(2_500_000)));

        // Then
        assertThat(refusal)
                .hasMessageContaining("trying to send message larger than max")
                .matches(Refusals::isRefusal);
        assertThat(attempts).hasValue(3);
    }

    @Test
    void listIsReadPageByPage() {
        // Given
        List<String> names = IntStream.range(0, (int) Pages.SMALL + 1)
                .mapToObj(index -> "budget-" + index)
                .toList();
        names.forEach(name -> client.resource(new PodDisruptionBudgetBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace("default")
                        .endMetadata()
                        .withNewSpec()
                        .withNewMaxUnavailable(1)
                        .endSpec()
                        .build())
                .create());
        var requests = new AtomicInteger();

        // When
        var listed = ObjectClient.of(counting(requests)).list(PodDisruptionBudget.class);

        // Then
        assertThat(listed)
                .extracting(budget -> budget.getMetadata().getName())
                .containsExactlyInAnyOrderElementsOf(names);
        assertThat(requests).hasValue(2);
    }

    private KubernetesClient counting(AtomicInteger attempts) {
        return new KubernetesClientBuilder()
                .withConfig(client.getConfiguration())
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("attempts", new Interceptor() {
                    @Override
                    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
                        attempts.incrementAndGet();
                    }
                }))
                .build();
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
