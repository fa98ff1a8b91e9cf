package dev.fakegpu.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.allocate.Feature;
import dev.fakegpu.allocate.pool.GroupPolicy;
import dev.fakegpu.allocate.pool.GroupsGate;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.ClaimNaming;
import dev.fakegpu.events.EventRecorder;
import dev.fakegpu.explain.OtherDevices;
import dev.fakegpu.explain.PendingChanges;
import dev.fakegpu.testing.ClusterYaml;
import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.util.YieldPolicy;
import dev.fakegpu.watch.ClusterWatch;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ExplanationQueueTest {

    private final KubernetesClient client = new BrokenClient(IllegalStateException::new).client();
    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final ClusterWatch cluster = new ClusterWatch(client, "any", "any");
    private final CompanionOptions options =
            new CompanionOptions(Feature.all(), GroupsGate.ON, GroupPolicy.SNAPSHOT, Duration.ofMinutes(10), 1);
    private final SchedulerCache cache = new SchedulerCache(cluster, new CompanionSettings(cluster, options), clock);
    private final CompanionScope scope = new CompanionScope(cluster);
    private final AtomicLong nanos = new AtomicLong();

    @AutoClose
    private final Writers writers = new Writers(1, new YieldPolicy(namespace -> false, clock));

    private final DecisionLog log = new DecisionLog((result, gate, policy) -> {}, () -> options, clock);
    private final ExplanationQueue explanations = new ExplanationQueue(
            new UnschedulableExplainer(
                    cache,
                    scope,
                    new NodeSearch(
                            () -> cache.allocationContext(new Selectors()),
                            new SearchTime(this::longerThanATurn, System::nanoTime),
                            PendingChanges.NONE,
                            OtherDevices.NONE),
                    ClaimNaming.OwnNamespace),
            new StatusReporter(
                    scope,
                    new PodWriter(client, cluster.pods(), clock),
                    new ClaimWriter(client, cluster.claims(), clock),
                    new EventRecorder(client, clock, "test"),
                    writers,
                    log),
            log);
    private final EquivalenceClass waiting = new EquivalenceClass("waiting");

    /** A turn is over as soon as the time is read, so that nothing is ever found out in one. */
    private long longerThanATurn() {
        return nanos.addAndGet(ExplanationTurn.LEAST.toNanos() + 1);
    }

    private void oneClaimWaits() {
        cache.nodeChanged("node", object("""
                apiVersion: v1
                kind: Node
                metadata: {name: node}
                status: {conditions: [{type: Ready, status: 'True'}]}
                """));
        ResourceClaim claim = object("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata:
                  {namespace: ns, name: waits, uid: waits, labels: {fakegpu.dev/allocate: "true"}, creationTimestamp: "2026-01-01T00:00:00Z"}
                spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, allocationMode: ExactCount, count: 1}}]}}
                """);
        cluster.claims().onAdd(claim);
        cluster.deviceClasses().onAdd(object("""
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: gpu, uid: gpu, resourceVersion: "1"}
                spec: {}
                """));
        cache.refresh();
        QueueItem item = QueueItem.of(claim);
        waiting.members().add(item);
        explanations.add(item, waiting);
    }

    @SuppressWarnings("unchecked")
    private static <T extends HasMetadata> T object(String yaml) {
        return (T) ClusterYaml.objects(yaml).get(0);
    }

    @Test
    void anExplanationThatGivesWayIsNotReported() {
        oneClaimWaits();

        assertThat(explanations.explainNext(namespace -> 0, () -> true)).isPresent();

        assertThat(waiting.isExplained("ns")).isFalse();
        assertThat(explanations.countByCode()).isEmpty();
        assertThat(explanations.explainNext(namespace -> 0, () -> false)).isPresent();
        assertThat(explanations.countByCode()).containsOnlyKeys("NoDevices");
    }

    @Test
    void anExplanationEndsAlsoIfOthersAlwaysWait() {
        oneClaimWaits();

        int turns = 0;
        while (explanations.explainNext(namespace -> 0, () -> true).isPresent()) {
            turns++;
        }

        assertThat(turns).isEqualTo(ExplanationTurn.MAX + 1);
        assertThat(explanations.countByCode()).containsOnlyKeys("NoDevices");
    }
}
