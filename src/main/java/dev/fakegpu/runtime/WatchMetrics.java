package dev.fakegpu.runtime;

import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.util.Ticker;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.function.Function;

/** Metrics of the informers by kind, of the GPUs, and whether this replica leads; {@code docs/metrics.md} describes the metrics. */
@Singleton
final class WatchMetrics {

    private final ClusterWatch cluster;
    private final Leadership leadership;
    private final HeapLimit memory;
    private final GpuMetrics gpus;
    private final MeterRegistry registry;

    WatchMetrics(
            ClusterWatch cluster,
            Leadership leadership,
            HeapLimit memory,
            DcgmSource gpus,
            MeterRegistry registry,
            Ticker ticker) {
        this.memory = memory;
        this.cluster = cluster;
        this.leadership = leadership;
        this.gpus = new GpuMetrics(gpus, registry, ticker);
        this.registry = registry;
    }

    /** Must be called once, after the watch has started. */
    void register() {
        gpus.register();
        Gauge.builder("fakegpu.leader", () -> leadership.isHeld() ? 1 : 0)
                .description("1 on the replica that holds the Lease and acts, 0 on a standby")
                .register(registry);
        Gauge.builder("fakegpu.memory.limited", () -> memory.reached().isPresent() ? 1 : 0)
                .description("1 while so little of the heap is free that no more nodes are published")
                .register(registry);
        for (String kind : cluster.bytes().totals().keySet()) {
            gauge(
                    "fakegpu.watch.connected",
                    "1 while the kind is being watched, 0 while the watch is interrupted",
                    kind,
                    watch -> watch.isWatching(kind) ? 1 : 0);
            gauge(
                    "fakegpu.watch.objects",
                    "Objects that are kept",
                    kind,
                    watch -> watch.bytes().counts().getOrDefault(kind, 0));
            gauge(
                    "fakegpu.watch.bytes",
                    "Size of what is kept of the watched objects: as JSON, and an estimate for the devices of slices",
                    kind,
                    watch -> watch.bytes().totals().getOrDefault(kind, 0L));
            gauge(
                    "fakegpu.watch.unreadable.objects",
                    "Objects that cannot be read completely, so that nothing is decided about them",
                    kind,
                    watch -> watch.unreadable().counts().getOrDefault(kind, 0));
        }
    }

    private void gauge(String name, String description, String kind, Function<ClusterWatch, Number> value) {
        Gauge.builder(name, () -> value.apply(cluster))
                .description(description)
                .tag("kind", kind)
                .register(registry);
    }
}
