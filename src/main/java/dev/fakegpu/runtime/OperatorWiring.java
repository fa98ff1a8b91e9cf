package dev.fakegpu.runtime;

import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.dcgm.DcgmGpus.Naming;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.kube.client.IdleTimeoutHttpClientFactory;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.client.WriteFence;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.kube.events.EventRecorder;
import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.operator.explainer.ExplainerController;
import dev.fakegpu.operator.explainer.ExplainerOptions;
import dev.fakegpu.operator.kubelet.BindingSimulator;
import dev.fakegpu.operator.kubelet.NodeHeartbeat;
import dev.fakegpu.operator.kubelet.NodeSnapshots;
import dev.fakegpu.operator.kubelet.SimulatedKubelet;
import dev.fakegpu.operator.publish.DeferredChanges;
import dev.fakegpu.operator.publish.HandoverGuard;
import dev.fakegpu.operator.publish.LiveCatalog;
import dev.fakegpu.operator.publish.pool.FakeGpuPublisher;
import dev.fakegpu.operator.publish.pool.PublishOptions;
import dev.fakegpu.operator.publish.pool.PublishPace;
import dev.fakegpu.operator.publish.server.SchedulerGateProbe;
import dev.fakegpu.operator.publish.server.ServerFeatures;
import dev.fakegpu.operator.schedule.Companion;
import dev.fakegpu.operator.schedule.CompanionBuilder;
import dev.fakegpu.operator.schedule.settings.CompanionOptions;
import dev.fakegpu.operator.schedule.settings.CompanionSettings;
import dev.fakegpu.runtime.OperatorConfig.Part;
import dev.fakegpu.util.ParallelTasks;
import dev.fakegpu.util.TaskExecutors;
import dev.fakegpu.util.Ticker;
import dev.fakegpu.util.YieldPolicy;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;

/** Wires the operator together; the only class that uses dependency injection. Controllers get everything through their constructors. */
public final class OperatorWiring {

    /** A higher number is not faster with an API server that has two CPUs, and each needs the memory of one or two slices. */
    private static final int PUBLISHED_AT_A_TIME = 8;

    @Produces
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }

    @Produces
    @Singleton
    Ticker ticker() {
        return Ticker.SYSTEM;
    }

    /** The client of all parts, which replaces the one from Quarkus: it writes only while this process is the leader. */
    @Produces
    @Singleton
    KubernetesClient kubernetesClient(
            Config config, KubernetesSerialization serialization, Leadership leadership, Vertx vertx) {
        return new KubernetesClientBuilder()
                .withHttpClientFactory(
                        new IdleTimeoutHttpClientFactory(vertx, IdleTimeoutHttpClientFactory.IDLE_TIMEOUT))
                .withConfig(config)
                .withKubernetesSerialization(serialization)
                .withHttpClientBuilderConsumer(
                        builder -> builder.addOrReplaceInterceptor("write-fence", new WriteFence(leadership::isHeld)))
                .build();
    }

    void close(@Disposes KubernetesClient client) {
        client.close();
    }

    @Produces
    @Singleton
    InventoryPlanner inventoryPlanner(ClusterWatch cluster, EventRecorder publisherEvents) {
        return new InventoryPlanner(new LiveCatalog(
                Catalog.builtIn(),
                cluster.catalogFiles(),
                (configMap, problem) -> publisherEvents.warning(configMap, EventReason.InvalidModel, problem)));
    }

    @Produces
    @Singleton
    ClusterWatch clusterWatch(KubernetesClient client, OperatorConfig config) {
        return new ClusterWatch(client, config.catalog().namespace(), config.namespace());
    }

    void close(@Disposes ClusterWatch watch) {
        watch.close();
    }

    @Produces
    @Singleton
    ServerFeatures serverFeatures(KubernetesClient client, OperatorConfig config) {
        var scheduler = config.kubeScheduler();
        return new ServerFeatures(
                client,
                new SchedulerGateProbe(
                        client, scheduler.compatibilityGroups(), scheduler.metricsUrl(), scheduler.metricsCaFile()));
    }

    void close(@Disposes ServerFeatures features) {
        features.close();
    }

    @Produces
    @Singleton
    PublishOptions publishOptions(OperatorConfig config, CompanionSettings companion) {
        return new PublishOptions(
                config.compatibilityGroups().publish(),
                () -> companion.now().gate() == GroupsGate.ON,
                config.explanations().names(),
                config.foreignSlices().removeAfter());
    }

    @Produces
    @Singleton
    PublishPace publishPace(HeapLimit memory, Ticker ticker) {
        return new PublishPace(ParallelTasks.onThreads("fakegpu-publish", PUBLISHED_AT_A_TIME), memory, ticker);
    }

    @Produces
    @Singleton
    FakeGpuPublisher fakeGpuPublisher(
            KubernetesClient client,
            ClusterWatch cluster,
            InventoryPlanner planner,
            ServerFeatures features,
            PublishOptions options,
            PublishPace pace) {
        return new FakeGpuPublisher(ObjectClient.of(client), cluster, planner, features, options, pace);
    }

    @Produces
    @Singleton
    CompanionSettings companionSettings(ClusterWatch cluster, OperatorConfig config) {
        var companion = config.companion();
        return new CompanionSettings(
                cluster,
                new CompanionOptions(
                                FeatureGates.apply(companion.featureGates(), Feature.all()),
                                companion.gate(),
                                companion.groupPolicy(),
                                companion.bindingTimeout(),
                                companion.writers())
                        .with(companion.preemption())
                        .with(companion.mixins()));
    }

    /** For the FakeGpu reconciler; the other controllers record events under their own names. */
    @Produces
    @Singleton
    EventRecorder publisherEvents(KubernetesClient client, Clock clock, Ticker ticker) {
        return new EventRecorder(client, clock, ticker, "fakegpu-operator");
    }

    @Produces
    @Singleton
    Leadership leadership(
            Config config, KubernetesSerialization serialization, OperatorConfig operator, Clock clock, Ticker ticker) {
        // Has its own client, since it writes the Lease before this process is the leader.
        var client = new KubernetesClientBuilder()
                .withConfig(config)
                .withKubernetesSerialization(serialization)
                .build();
        return new Leadership(client, operator.namespace(), operator.identity(), clock, ticker);
    }

    @Produces
    @Singleton
    Companion companion(
            KubernetesClient client,
            ClusterWatch cluster,
            Clock clock,
            Ticker ticker,
            CompanionSettings settings,
            OperatorConfig config,
            Leadership leadership,
            DeferredChanges deferredChanges,
            MeterRegistry registry) {
        var metrics = new CompanionMetrics(registry);
        var companion = new CompanionBuilder(
                        client, cluster, new EventRecorder(client, clock, ticker, "fakegpu-companion"), settings)
                .mayWrite(leadership::isHeld)
                .listener(metrics)
                .naming(config.explanations().names())
                .pendingChanges(deferredChanges)
                .time(clock, ticker)
                .build();
        metrics.watch(companion);
        return companion;
    }

    @Produces
    @Singleton
    DeferredChanges deferredChanges(ClusterWatch cluster, InventoryPlanner planner) {
        return new DeferredChanges(cluster.fakeGpus()::list, planner);
    }

    @Produces
    @Singleton
    ExplainerController explainerController(
            KubernetesClient client,
            ClusterWatch cluster,
            ServerFeatures server,
            DeferredChanges deferredChanges,
            OperatorConfig config,
            Clock clock,
            Ticker ticker) {
        return new ExplainerController(
                cluster,
                new EventRecorder(client, clock, ticker, "fakegpu-explainer"),
                new ExplainerOptions(
                        () -> server.scheduler().known().orElse(GroupsGate.ON),
                        () -> server.scheduler().known().isPresent(),
                        config.explanations().names(),
                        deferredChanges),
                clock,
                ticker);
    }

    @Produces
    @Singleton
    HandoverGuard handoverGuard(Companion companion, OperatorConfig config) {
        // A companion that does not run has nothing to relinquish and would never respond.
        return config.parts().contains(Part.Companion) ? companion::hasRelinquished : fakeGpu -> true;
    }

    @Produces
    @Singleton
    NodeSnapshots nodeSnapshots(ClusterWatch cluster, InventoryPlanner planner, OperatorConfig config) {
        return new NodeSnapshots(cluster, planner, config.explanations().names());
    }

    @Produces
    @Singleton
    SimulatedKubelet simulatedKubelet(
            KubernetesClient client,
            ClusterWatch cluster,
            NodeSnapshots nodes,
            Companion companion,
            Clock clock,
            Ticker ticker,
            MeterRegistry registry) {
        return new SimulatedKubelet(
                ObjectClient.of(client),
                cluster,
                nodes,
                new EventRecorder(client, clock, ticker, "fakegpu-kubelet"),
                new SimulatedKubelet.Timing(
                        clock, ticker, new YieldPolicy(companion::isBusyWith, ticker), TaskExecutors.THREADS),
                new KubeletMetrics(registry));
    }

    @Produces
    @Singleton
    BindingSimulator bindingSimulator(
            KubernetesClient client, ClusterWatch cluster, InventoryPlanner planner, Clock clock, Ticker ticker) {
        return new BindingSimulator(ObjectClient.of(client), cluster, planner, clock, ticker, TaskExecutors.THREADS);
    }

    @Produces
    @Singleton
    DcgmSource dcgmSource(
            ClusterWatch cluster, InventoryPlanner planner, OperatorConfig config, Leadership leadership) {
        return new DcgmSource(
                cluster,
                planner,
                config.explanations().names() == ClaimNaming.Full ? Naming.NAMED : Naming.ANONYMOUS,
                leadership::isHeld);
    }

    @Produces
    @Singleton
    NodeHeartbeat nodeHeartbeat(KubernetesClient client, ClusterWatch cluster, Clock clock, Ticker ticker) {
        return new NodeHeartbeat(client, cluster, clock, ticker);
    }
}
