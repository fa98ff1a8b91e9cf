package dev.fakegpu.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.kube.client.ClientSerialization;
import dev.fakegpu.kube.client.KeptObjects;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.PartAccount;
import dev.fakegpu.testing.Rights;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what every part of the operator does while its memory is nearly full and afterwards, with only the rights of that part. */
class MemoryPressureRightsIT {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private final AtomicBoolean isFull = new AtomicBoolean(true);

    @BeforeAll
    static void serveFakeGpus() {
        controlPlane.controlPlane().applyFile("crds/fakegpus.fakegpu.dev.yaml");
        Awaitility.await()
                .until(() -> controlPlane.client().resources(FakeGpu.class).list() != null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"publisher", "companion", "explainer", "simulated-kubelet"})
    void devicesThatWereNotKeptAreReadAgain(String part) {
        // Given
        String namespace = PartAccount.create(controlPlane.controlPlane(), part);
        Rights.awaitStored(controlPlane.client());
        ResourceSlice slice = controlPlane.client().resource(slice(part)).create();
        try (var client = clientOf(namespace);
                var cluster = new ClusterWatch(client, namespace, namespace)) {
            cluster.start();
            assertThat(cluster.slicesWithoutDevices())
                    .extracting(known -> known.getMetadata().getName())
                    .contains(part);

            // When
            isFull.set(false);
            cluster.readDevicesAgain();

            // Then
            assertThat(cluster.slicesWithoutDevices()).isEmpty();
            assertThat(cluster.slices().get(null, part)).isPresent();
            assertThat(cluster.kinds())
                    .as("with these rights, a restored etcd is noticed, too")
                    .allSatisfy(kind -> assertThat(kind.stored()).isGreaterThanOrEqualTo(kind.seen()));
        } finally {
            controlPlane.client().resource(slice).delete();
        }
    }

    private static ResourceSlice slice(String name) {
        return new ResourceSliceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withDriver("other.example.com")
                .withAllNodes(true)
                .withNewPool(1L, name, 1L)
                .addNewDevice()
                .withName("device")
                .endDevice()
                .endSpec()
                .build();
    }

    private KubernetesClient clientOf(String namespace) {
        var mapper = ClientSerialization.mapper();
        KeptObjects.configure(mapper, isFull::get);
        TokenRequest token = controlPlane
                .client()
                .serviceAccounts()
                .inNamespace(namespace)
                .withName("fakegpu-operator")
                .tokenRequest();
        return new KubernetesClientBuilder()
                .withKubernetesSerialization(new KubernetesSerialization(mapper, true))
                .withConfig(new ConfigBuilder(controlPlane.controlPlane().config())
                        .withAutoOAuthToken(null)
                        .withOauthToken(token.getStatus().getToken())
                        .build())
                .build();
    }
}
