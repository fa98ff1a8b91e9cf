package dev.fakegpu.operator.schedule.report;

import static dev.fakegpu.testing.ClusterYaml.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.explain.OtherDevices;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.operator.schedule.BrokenClient;
import dev.fakegpu.operator.schedule.UnstartedCompanion;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import dev.fakegpu.operator.schedule.queue.EquivalenceClass;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.search.ExplanationTurn;
import dev.fakegpu.operator.schedule.search.NodeSearch;
import dev.fakegpu.operator.schedule.search.SearchTime;
import dev.fakegpu.testing.MutableClock;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ExplanationQueueTest {

    private final KubernetesClient client = new BrokenClient(IllegalStateException::new).client();

    @AutoClose
    private final UnstartedCompanion companion = new UnstartedCompanion(client);

    private final MutableClock clock = companion.clock();
    private final ClusterWatch cluster = companion.cluster();
    private final SchedulerCache cache = companion.cache();
    private final AtomicLong nanos = new AtomicLong();
    private Duration step = ExplanationTurn.LEAST.plusNanos(1);

    private final DecisionLog log = companion.log();
    private final ExplanationQueue explanations = companion.explanations(new NodeSearch(
            () -> cache.allocationContext(new Selectors()),
            new SearchTime(this::longerThanATurn, System::nanoTime),
            PendingChanges.NONE,
            OtherDevices.NONE));

    private final EquivalenceClass waiting = new EquivalenceClass("waiting");

    /** By default, a turn is over when the time is first read, so that no explanation is completed within a turn. */
    private long longerThanATurn() {
        return nanos.addAndGet(step.toNanos());
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

    /** The first explanation in a cold process may take too long. */
    @Test
    void anExplanationThatTakesTooLongIsTriedAgain() {
        oneClaimWaits();
        step = Duration.ofMinutes(1);

        assertThat(explanations.explainNext(namespace -> 0, () -> false)).isPresent();

        assertThat(waiting.isExplained("ns")).isFalse();
        assertThat(explanations.countByCode()).isEmpty();
        step = Duration.ZERO;
        assertThat(explanations.explainNext(namespace -> 0, () -> false)).isPresent();
        assertThat(waiting.isExplained("ns")).isTrue();
    }

    @Test
    void anExplanationThatAlwaysTakesTooLongIsReported() {
        oneClaimWaits();
        step = Duration.ofMinutes(1);

        int tries = 0;
        while (explanations.explainNext(namespace -> 0, () -> false).isPresent()) {
            tries++;
        }

        assertThat(tries).isEqualTo(ExplanationQueue.MAX_CUTS + 1);
        assertThat(waiting.isExplained("ns")).isTrue();
    }
}
