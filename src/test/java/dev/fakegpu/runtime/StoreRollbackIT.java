package dev.fakegpu.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code RestoredStoreE2E} tests that a restoration is noticed. */
class StoreRollbackIT {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.with(
            ControlPlaneOptions.apiServerOnly().ownEtcd("/namespaces,resource.k8s.io/resourceslices"));

    private final KubernetesClient client = controlPlane.client();

    /** In an etcd with few writes, resource versions are far below those of the others. */
    @Test
    void lowVersionsOfAnotherEtcdAreNotARollback() {
        // Given
        controlPlane.controlPlane().applyFile("crds/fakegpus.fakegpu.dev.yaml");
        Awaitility.await().until(() -> client.resources(FakeGpu.class).list() != null);
        try (var cluster = new ClusterWatch(client, "default", "default")) {
            var rollback = new StoreRollback(cluster);
            assertThat(rollback.hasGoneBack()).as("before the start").isFalse();

            // When
            cluster.start();

            // Then
            long namespaces =
                    Long.parseLong(client.namespaces().list().getMetadata().getResourceVersion());
            assertThat(cluster.kinds())
                    .as("some are ahead of namespaces")
                    .anySatisfy(kind -> assertThat(kind.seen()).isGreaterThan(namespaces));
            int kinds = cluster.kinds().size();
            assertThat(IntStream.range(0, 2 * kinds).filter(i -> rollback.hasGoneBack()))
                    .isEmpty();
        }
    }
}
