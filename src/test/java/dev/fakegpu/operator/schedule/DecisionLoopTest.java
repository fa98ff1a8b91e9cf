package dev.fakegpu.operator.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.explain.OtherDevices;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import dev.fakegpu.operator.schedule.queue.Arrivals;
import dev.fakegpu.operator.schedule.queue.NamespaceShares;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.queue.SchedulingQueue;
import dev.fakegpu.operator.schedule.report.DecisionLog;
import dev.fakegpu.operator.schedule.report.ExplanationQueue;
import dev.fakegpu.operator.schedule.search.NodeSearch;
import dev.fakegpu.operator.schedule.search.SearchTime;
import dev.fakegpu.testing.MutableClock;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class DecisionLoopTest {

    private final KubernetesClient client = new BrokenClient(IllegalStateException::new).client();

    @AutoClose
    private final UnstartedCompanion companion = new UnstartedCompanion(client);

    private final MutableClock clock = companion.clock();
    private final ClusterWatch cluster = companion.cluster();
    private final SchedulerCache cache = companion.cache();

    private final DecisionLog log = companion.log();
    private final ExplanationQueue explanations = companion.explanations(new NodeSearch(
            () -> cache.allocationContext(new Selectors()),
            SearchTime.ofReadings(),
            PendingChanges.NONE,
            OtherDevices.NONE));

    private final SchedulingQueue queue =
            new SchedulingQueue(explanations::forget, new NamespaceShares(), new Arrivals(Runnable::run));
    private final List<String> decided = new ArrayList<>();

    @Test
    void undecidedItemBacksOffWithoutDelayingOthers() {
        // Given
        DecisionLoop loop = loop(item -> {
            decided.add(item.name());
            if (item.name().equals("bad")) {
                throw new IllegalStateException("expected by the test");
            }
            if (item.name().equals("deep")) {
                throw new StackOverflowError("expected by the test");
            }
        });
        List.of("bad", "deep", "good").forEach(name -> queue.activate(item("ns", name)));

        // When
        runUntilIdle(loop);

        // Then
        assertThat(decided).containsExactly("bad", "deep", "good");
        assertThat(queue.backoffCount()).isEqualTo(2);
        clock.advance(Duration.ofSeconds(1));
        runUntilIdle(loop);
        assertThat(decided).containsExactly("bad", "deep", "good", "bad", "deep");
    }

    @Test
    void theTimeOfADecisionIsThatOfItsNamespace() {
        // Given
        DecisionLoop loop = loop(item -> {
            decided.add(item.name());
            clock.advance(Duration.ofMillis(item.namespace().equals("slow") ? 1_000 : 10));
        });
        for (int i = 0; i < 50; i++) {
            queue.activate(item("slow", "slow-" + (10 + i)));
        }
        runOnce(loop);

        // When: later pods are decided immediately
        for (int i = 0; i < 50; i++) {
            queue.activate(item("quick", "quick-" + (10 + i)));
        }
        for (int i = 0; i < 50; i++) {
            runOnce(loop);
        }

        // Then
        assertThat(decided.subList(1, 51)).allMatch(name -> name.startsWith("quick"));
        assertThat(loop.largestShares(1)).containsOnlyKeys("slow");
    }

    @Test
    void isBusyWithNamespacesOfActiveItemsOnly() {
        // Given
        DecisionLoop loop = loop(item -> decided.add(item.name()));
        List.of("a1", "a2").forEach(name -> queue.activate(item("a", name)));
        queue.activate(item("b", "b1"));

        // When
        runOnce(loop);
        runOnce(loop);

        // Then
        assertThat(decided).containsExactly("a1", "b1");
        assertThat(loop.isBusyWith("a")).isTrue();
        assertThat(loop.isBusyWith("b")).isFalse();
    }

    private DecisionLoop loop(Consumer<QueueItem> scheduleOne) {
        var pendingPods = new PendingPodIndex(cache.assumeCache(), queue, companion.scope());
        var inFlight = new InFlightDecisions(
                cache, queue, pendingPods, log, clock, explanations::report, 16, (plan, listener) -> {});
        return new DecisionLoop(cache, queue, pendingPods, inFlight, explanations, scheduleOne, clock);
    }

    private static void runOnce(DecisionLoop loop) {
        assertThat(loop.runOnce(() -> false)).isTrue();
    }

    private static void runUntilIdle(DecisionLoop loop) {
        while (loop.runOnce(() -> false)) {
            // Each run decides about one item.
        }
    }

    private static QueueItem item(String namespace, String name) {
        return new QueueItem(QueueItem.Kind.CLAIM, namespace, name, namespace + name, 0, "2026-01-01T00:00:00Z");
    }
}
