package dev.fakegpu.operator.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.testing.ControlPlaneExtension;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PodStatusWriterIT {

    private static final String NAMESPACE = "pod-status-writer";

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private final KubernetesClient client = controlPlane.client();
    private final PodStatusWriter writer =
            new PodStatusWriter(ObjectClient.of(client), new ObjectStore<>(), Clock.systemUTC());

    @BeforeAll
    static void namespace() {
        var client = controlPlane.client();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        client.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName("default")
                        .endMetadata()
                        .build())
                .create();
    }

    @Test
    void completesTheDeletionOfAPod() {
        // Given: the pod is bound to a node, so that its deletion waits for the kubelet
        var pod = create("bound");
        client.resource(pod).delete();
        var deleted = client.resource(pod).get();
        assertThat(deleted.getMetadata().getDeletionTimestamp()).isNotNull();

        // When
        writer.remove(deleted);

        // Then
        assertThat(client.resource(pod).get()).isNull();
    }

    @Test
    void aNewPodOfTheSameNameSurvivesTheLateRemovalOfItsPredecessor() {
        // Given: pods of a StatefulSet have the same name
        var before = create("web-0");
        client.resource(before).withGracePeriod(0).delete();
        var after = create("web-0");

        // When
        writer.remove(before);

        // Then
        assertThat(client.resource(after).get())
                .as("the new pod")
                .isNotNull()
                .satisfies(pod -> assertThat(pod.getMetadata().getUid())
                        .isEqualTo(after.getMetadata().getUid()))
                .satisfies(pod ->
                        assertThat(pod.getMetadata().getDeletionTimestamp()).isNull());
    }

    @Test
    void aPodThatIsGoneNeedsNoRemoval() {
        var pod = create("gone");
        client.resource(pod).withGracePeriod(0).delete();

        assertThatCode(() -> writer.remove(pod)).doesNotThrowAnyException();
    }

    private Pod create(String name) {
        return client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName("simulated-0")
                        .addNewContainer()
                        .withName("main")
                        .withImage("none")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
    }
}
