package dev.fakegpu.runtime;

import dev.fakegpu.watch.ClusterWatch;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.function.Function;

/** What is watched, by kind: {@code fakegpu_watch_bytes} and {@code fakegpu_watch_unreadable_objects}. */
@Singleton
final class WatchMetrics {

    private final ClusterWatch cluster;
    private final MeterRegistry registry;

    WatchMetrics(ClusterWatch cluster, MeterRegistry registry) {
        this.cluster = cluster;
        this.registry = registry;
    }

    /** To be called once, after the watch has started. */
    void register() {
        for (String kind : cluster.bytes().totals().keySet()) {
            gauge(
                    "fakegpu.watch.bytes",
                    "Size of what is kept of the watched objects, as JSON",
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
