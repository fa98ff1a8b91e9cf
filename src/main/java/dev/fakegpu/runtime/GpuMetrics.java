package dev.fakegpu.runtime;

import dev.fakegpu.hardware.dcgm.DcgmGpu.Mode;
import dev.fakegpu.hardware.dcgm.DcgmGpus;
import dev.fakegpu.operator.prepare.DeviceHealths;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;

/** The number of GPUs in each mode and of healthy devices; {@code docs/metrics.md} describes the metrics. */
final class GpuMetrics {

    /** A scrape reads one gauge after the other, and all of them should be from the same instant. */
    private static final Duration KEPT = Duration.ofSeconds(1);

    private final DcgmSource source;
    private final MeterRegistry registry;
    private final Ticker ticker;
    private Map<Mode, Integer> counts = Map.of();
    private Map<DeviceHealths.State, Integer> healths = Map.of();
    private Moment countedAt = Moment.NEVER;

    GpuMetrics(DcgmSource source, MeterRegistry registry, Ticker ticker) {
        this.source = source;
        this.registry = registry;
        this.ticker = ticker;
    }

    /** Must be called once, after the watch has started. */
    void register() {
        for (Mode mode : Mode.values()) {
            Gauge.builder("fakegpu.gpus", () -> count(mode))
                    .description("GPUs of FakeGpus by how they are used: by the kind of their devices that are held")
                    .tag("mode", Meters.lower(mode))
                    .register(registry);
        }
        for (DeviceHealths.State state : DeviceHealths.State.values()) {
            Gauge.builder("fakegpu.devices", () -> count(state))
                    .description("Devices of FakeGpus by their health")
                    .tag("state", Meters.lower(state))
                    .register(registry);
        }
    }

    private synchronized int count(Mode mode) {
        refresh();
        return counts.getOrDefault(mode, 0);
    }

    private synchronized int count(DeviceHealths.State state) {
        refresh();
        return healths.getOrDefault(state, 0);
    }

    private void refresh() {
        Moment now = ticker.now();
        if (countedAt.plus(KEPT).isBefore(now)) {
            counts = DcgmGpus.countByMode(source.gpus());
            healths = source.healths();
            countedAt = now;
        }
    }
}
