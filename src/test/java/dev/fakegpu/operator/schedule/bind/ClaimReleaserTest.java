package dev.fakegpu.operator.schedule.bind;

import static dev.fakegpu.testing.TestObjects.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.kube.client.ClientSerialization;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.operator.schedule.BrokenClient;
import dev.fakegpu.operator.schedule.cache.AllocatorHandover;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import dev.fakegpu.operator.schedule.settings.CompanionOptions;
import dev.fakegpu.operator.schedule.settings.CompanionSettings;
import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.testing.TestObjects;
import dev.fakegpu.util.TaskExecutors;
import dev.fakegpu.util.YieldPolicy;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ClaimReleaserTest {

    private static final KubernetesSerialization JSON = json();
    private static final Pod POD = TestObjects.pod("{namespace: ns, name: pod, uid: pod}", "spec: {}");

    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final BrokenClient broken = new BrokenClient(IllegalStateException::new);
    private final ClusterWatch cluster = new ClusterWatch(broken.client(), "any", "any");
    private final AtomicInteger lookedAtAgain = new AtomicInteger();

    @AutoClose
    private final Writers writers = new Writers(1, new YieldPolicy(namespace -> false, clock), TaskExecutors.THREADS);

    private final CompanionOptions options =
            new CompanionOptions(Feature.all(), GroupsGate.ON, GroupPolicy.SNAPSHOT, Duration.ofMinutes(10), 1);
    private final SchedulerCache cache =
            new SchedulerCache(cluster, new CompanionSettings(cluster, options), new AllocatorHandover(cluster, clock));
    private final ClaimReleaser releaser = new ClaimReleaser(
            ObjectClient.of(broken.client()),
            cluster,
            cache.slices()::isManaged,
            new ClaimWriter(ObjectClient.of(broken.client()), cluster.claims(), clock),
            writers,
            Runnable::run,
            (namespace, claim) -> lookedAtAgain.incrementAndGet());

    @Test
    void aReleaseThatThrowsCanBeTriedAgain() {
        // When
        releaser.deleteLeftover(POD, claim("{namespace: ns, name: claim, uid: uid}"));
        await().until(() -> broken.requests() >= 1);

        // Then: the claim is no longer in progress, and its pods are looked at again
        await().until(() -> {
            releaser.deleteLeftover(POD, claim("{namespace: ns, name: claim, uid: uid}"));
            return broken.requests() >= 2;
        });
        await().untilAsserted(() -> assertThat(lookedAtAgain).hasPositiveValue());
    }

    /** The unreadable part may be the users of the claim. */
    @Test
    void aClaimThatCannotBeReadIsNotReleased() {
        // Given
        publish();
        cluster.claims().written(deleted("\"unreadable\""));

        // When
        releaser.releaseIfUnused("ns", "claim");

        // Then
        var isWritten = new AtomicBoolean();
        writers.decision(() -> isWritten.set(true));
        await().untilTrue(isWritten);
        assertThat(broken.requests()).isZero();

        // When
        cluster.claims().written(deleted("[]"));
        releaser.releaseIfUnused("ns", "claim");

        // Then
        await().until(() -> broken.requests() > 0);
    }

    /** Publishes the pool of {@code node}, for a FakeGpu of the companion. */
    private void publish() {
        cluster.fakeGpus().written(JSON.unmarshal("""
                        {"apiVersion":"fakegpu.dev/v1alpha1","kind":"FakeGpu",
                         "metadata":{"name":"it","uid":"it","resourceVersion":"1","generation":1},
                         "spec":{"driver":"it.example.com","nodes":{"names":["node"]},"model":"L40S","allocator":"Companion"}}""", FakeGpu.class));
        cluster.slices().written(JSON.unmarshal("""
                        {"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice",
                         "metadata":{"name":"slice","uid":"slice","resourceVersion":"1","generation":1,"labels":{"fakegpu.dev/fakegpu":"it"},
                          "ownerReferences":[{"apiVersion":"fakegpu.dev/v1alpha1","kind":"FakeGpu","name":"it","uid":"it","controller":true}]},
                         "spec":{"driver":"it.example.com","nodeName":"node",
                          "pool":{"name":"pool","generation":1,"resourceSliceCount":1},
                          "devices":[{"name":"gpu-0","taints":[{"key":"fakegpu.dev/allocator","value":"companion","effect":"NoSchedule"}]}]}}""", ResourceSlice.class));
        cache.fakeGpusChanged();
        cache.refresh();
    }

    private static ResourceClaim deleted(String reservedFor) {
        return JSON.unmarshal("""
                {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim",
                 "metadata":{"namespace":"ns","name":"claim","uid":"uid","resourceVersion":"1","deletionTimestamp":"2026-01-01T00:00:00Z"},
                 "spec":{},
                 "status":{"reservedFor":%s,"allocation":{"devices":{"results":
                  [{"request":"gpu","driver":"it.example.com","pool":"pool","device":"gpu-0"}]}}}}""".formatted(reservedFor), ResourceClaim.class);
    }

    private static KubernetesSerialization json() {
        return new KubernetesSerialization(ClientSerialization.mapper(), true);
    }
}
