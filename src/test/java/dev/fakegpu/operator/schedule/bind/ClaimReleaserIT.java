package dev.fakegpu.operator.schedule.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.operator.schedule.cache.AllocatorHandover;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import dev.fakegpu.operator.schedule.settings.CompanionOptions;
import dev.fakegpu.operator.schedule.settings.CompanionSettings;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.util.TaskExecutors;
import dev.fakegpu.util.Ticker;
import dev.fakegpu.util.YieldPolicy;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests claims of pods that have been bound, which the store has not seen yet. */
class ClaimReleaserIT {

    private static final String NAMESPACE = "default";

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    private final KubernetesClient client = controlPlane.client();
    private final Clock clock = Clock.systemUTC();
    private final ClusterWatch cluster = new ClusterWatch(client, "any", "any");

    @AutoClose
    private final Writers writers =
            new Writers(1, new YieldPolicy(namespace -> false, Ticker.SYSTEM), TaskExecutors.THREADS);

    private final CompanionOptions options =
            new CompanionOptions(Feature.all(), GroupsGate.ON, GroupPolicy.SNAPSHOT, Duration.ofMinutes(10), 1);
    private final SchedulerCache cache = new SchedulerCache(
            cluster, new CompanionSettings(cluster, options), new AllocatorHandover(cluster, Ticker.SYSTEM));
    private final ClaimWriter claims = new ClaimWriter(ObjectClient.of(client), cluster.claims(), clock);
    private final ClaimReleaser releaser = new ClaimReleaser(
            ObjectClient.of(client),
            cluster,
            cache.slices()::isManaged,
            claims,
            writers,
            Runnable::run,
            (namespace, claim) -> {});

    @Test
    void aClaimThatAnInterruptedAttemptLeftBehindIsDeleted() {
        // Given
        Pod pending = create(null);
        ResourceClaim leftover = claims.create(claim());

        // When
        releaser.deleteLeftover(pending, leftover);

        // Then
        await().untilAsserted(() -> assertThat(client.resource(leftover).get()).isNull());
    }

    @Test
    void theClaimOfAPodThatHasBeenBoundIsKept() {
        // Given
        Pod bound = create("node");
        ResourceClaim inUse = claims.create(claim());
        Pod known =
                new PodBuilder(bound).editSpec().withNodeName(null).endSpec().build();
        cluster.pods().written(known);

        // When
        releaser.deleteLeftover(known, inUse);

        // Then
        await().untilAsserted(() -> assertThat(
                        cluster.pods().get(NAMESPACE, bound.getMetadata().getName()))
                .get()
                .matches(PodState::isBound, "is bound"));
        assertThat(client.resource(inUse).get()).isNotNull();
    }

    private Pod create(@Nullable String node) {
        return client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName("pod-" + UUID.randomUUID())
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName(node)
                        .addNewContainer()
                        .withName("main")
                        .withImage("busybox:1")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
    }

    private static ResourceClaim claim() {
        return new ResourceClaimBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withGenerateName("extended-")
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .build();
    }
}
