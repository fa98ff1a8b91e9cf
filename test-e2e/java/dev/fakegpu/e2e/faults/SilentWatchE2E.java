package dev.fakegpu.e2e.faults;

import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.kube.client.ClientSerialization;
import dev.fakegpu.kube.client.IdleTimeoutHttpClientFactory;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.testing.ControlPlaneOptions;
import dev.fakegpu.testing.Rights;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests connections that are lost without notice: the client would wait for a response forever. */
class SilentWatchE2E {

    private static final FaultRule SLICES_ARE_SILENT =
            new FaultRule(new Fault.Unanswered(), Set.of("watch"), Set.of("resourceslices"), 1, Integer.MAX_VALUE);

    /** Much shorter than the default, so that quiet watches are closed, too. */
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(10);

    @RegisterExtension
    static final ClusterExtension cluster =
            ClusterExtension.with(ControlPlaneOptions.apiServerOnly()).withoutOperator();

    /** The watches are plain requests, to which the client resorts if the handshake of a WebSocket fails. Fabric8 sets no timeout for them. */
    @Test
    void watchThatIsNeverAnsweredIsTriedAgain() {
        cluster.controlPlane().applyFile("crds/fakegpus.fakegpu.dev.yaml");
        try (var proxy = FaultProxy.to(cluster.controlPlane().config(), 1);
                var client = client(proxy);
                var watch = new ClusterWatch(client, "fakegpu-system", "fakegpu-system")) {
            // Given
            proxy.inject(SLICES_ARE_SILENT);
            watch.start();
            Awaitility.await().until(() -> proxy.injected().getOrDefault("Unanswered", 0L) > 1);

            // When
            cluster.client().resource(slice()).create();
            proxy.heal();

            // Then
            Awaitility.await().until(() -> watch.slices().get(null, "silent").isPresent());
        } finally {
            cluster.client().resource(slice()).delete();
        }
    }

    private static ResourceSlice slice() {
        return new ResourceSliceBuilder()
                .withNewMetadata()
                .withName("silent")
                .endMetadata()
                .withNewSpec()
                .withDriver("silent.example.com")
                .withAllNodes(true)
                .withNewPool(1L, "silent", 1L)
                .endSpec()
                .build();
    }

    private static KubernetesClient client(FaultProxy proxy) {
        return ClientSerialization.builder()
                .withHttpClientFactory(new IdleTimeoutHttpClientFactory(null, IDLE_TIMEOUT))
                .withConfig(new ConfigBuilder(Config.empty())
                        .withOnlyHttpWatches(true)
                        .withMasterUrl(proxy.address())
                        .withOauthToken(operatorsToken())
                        .build())
                .build();
    }

    private static String operatorsToken() {
        for (String file : List.of("namespace", "service_account", "role", "role_binding")) {
            cluster.controlPlane().applyFile("config/rbac/" + file + ".yaml");
        }
        Rights.awaitStored(cluster.client());
        return cluster.client()
                .serviceAccounts()
                .inNamespace("fakegpu-system")
                .withName("fakegpu-operator")
                .tokenRequest()
                .getStatus()
                .getToken();
    }
}
