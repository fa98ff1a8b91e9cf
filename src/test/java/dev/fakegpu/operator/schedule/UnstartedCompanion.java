package dev.fakegpu.operator.schedule;

import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.operator.schedule.bind.ClaimWriter;
import dev.fakegpu.operator.schedule.bind.PodWriter;
import dev.fakegpu.operator.schedule.bind.Writers;
import dev.fakegpu.operator.schedule.cache.AllocatorHandover;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import dev.fakegpu.operator.schedule.queue.CompanionScope;
import dev.fakegpu.operator.schedule.report.DecisionLog;
import dev.fakegpu.operator.schedule.report.ExplanationQueue;
import dev.fakegpu.operator.schedule.report.StatusReporter;
import dev.fakegpu.operator.schedule.report.UnschedulableExplainer;
import dev.fakegpu.operator.schedule.search.NodeSearch;
import dev.fakegpu.operator.schedule.settings.CompanionOptions;
import dev.fakegpu.operator.schedule.settings.CompanionSettings;
import dev.fakegpu.operator.schedule.settings.SchedulerProfile;
import dev.fakegpu.testing.MutableClock;
import dev.fakegpu.util.TaskExecutors;
import dev.fakegpu.util.YieldPolicy;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;

/** The parts of a companion without its thread: a test fills the cache, and calls the tested methods. */
public final class UnstartedCompanion implements AutoCloseable {

    private final KubernetesClient client;
    private final MutableClock clock = new MutableClock("2026-01-01T00:00:00Z");
    private final ClusterWatch cluster;
    private final CompanionScope scope;
    private final SchedulerCache cache;
    private final Writers writers = new Writers(1, new YieldPolicy(namespace -> false, clock), TaskExecutors.THREADS);
    private final DecisionLog log;

    public UnstartedCompanion(KubernetesClient client) {
        this.client = client;
        cluster = new ClusterWatch(client, "any", "any");
        scope = new CompanionScope(cluster, SchedulerProfile.COMPANION);
        var options =
                new CompanionOptions(Feature.all(), GroupsGate.ON, GroupPolicy.SNAPSHOT, Duration.ofMinutes(10), 1);
        cache = new SchedulerCache(
                cluster, new CompanionSettings(cluster, options), new AllocatorHandover(cluster, clock));
        log = new DecisionLog((result, gate, policy) -> {}, () -> options, clock, clock);
    }

    public MutableClock clock() {
        return clock;
    }

    public ClusterWatch cluster() {
        return cluster;
    }

    public SchedulerCache cache() {
        return cache;
    }

    CompanionScope scope() {
        return scope;
    }

    public DecisionLog log() {
        return log;
    }

    public ExplanationQueue explanations(NodeSearch nodeSearch) {
        return new ExplanationQueue(
                new UnschedulableExplainer(cache, scope, nodeSearch, ClaimNaming.OwnNamespace),
                new StatusReporter(
                        scope,
                        new PodWriter(ObjectClient.of(client), cluster.pods(), clock),
                        new ClaimWriter(ObjectClient.of(client), cluster.claims(), clock),
                        new EventRecorder(client, clock, clock, "test"),
                        writers,
                        log),
                log);
    }

    @Override
    public void close() {
        writers.close();
    }
}
