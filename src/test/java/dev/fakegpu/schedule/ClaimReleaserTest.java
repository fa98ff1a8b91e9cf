package dev.fakegpu.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fakegpu.allocate.Feature;
import dev.fakegpu.allocate.pool.GroupPolicy;
import dev.fakegpu.allocate.pool.GroupsGate;
import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.util.YieldPolicy;
import dev.fakegpu.watch.ClusterWatch;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ClaimReleaserTest {

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final BrokenClient broken = new BrokenClient(IllegalStateException::new);
    private final ClusterWatch cluster = new ClusterWatch(broken.client(), "any", "any");
    private final AtomicInteger lookedAtAgain = new AtomicInteger();

    @AutoClose
    private final Writers writers = new Writers(1, new YieldPolicy(namespace -> false, clock));

    private final CompanionOptions options =
            new CompanionOptions(Feature.all(), GroupsGate.ON, GroupPolicy.SNAPSHOT, Duration.ofMinutes(10), 1);
    private final SchedulerCache cache = new SchedulerCache(cluster, new CompanionSettings(cluster, options), clock);
    private final ClaimReleaser releaser = new ClaimReleaser(
            broken.client(),
            cluster,
            cache.slices(),
            new ClaimWriter(broken.client(), cluster.claims(), clock),
            writers,
            event -> {
                lookedAtAgain.incrementAndGet();
                event.run();
            });

    @Test
    void aReleaseThatThrowsCanBeTriedAgain() {
        // When
        releaser.delete(claim());
        await().until(() -> broken.requests() == 1);

        // Then: it is no longer in progress, and looked at again by itself
        await().until(() -> {
            releaser.delete(claim());
            return broken.requests() >= 2;
        });
        await().untilAsserted(() -> assertThat(lookedAtAgain).hasPositiveValue());
    }

    private static ResourceClaim claim() {
        return new ResourceClaimBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("claim")
                .withUid("uid")
                .endMetadata()
                .build();
    }
}
