package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.api.FaultSpec.Operation;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The metrics of the kubelet plugin. They have the names of NVIDIA's driver ({@code pkg/metrics/dra_requests.go}, commit 95932046) and of
 * dra-example-driver ({@code pkg/metrics/driver.go}, commit 31914cea), so that dashboards and alerts written for these can be tried. The
 * latter have the additional label {@code driver}, since one plugin serves several drivers. {@code docs/metrics.md} describes them.
 */
final class PluginMetrics {

    /** The types that NVIDIA's driver counts even if there are no such devices, and vGPUs. */
    private static final String[] TYPES = {"gpu", "mig", "vfio", "vgpu", PreparedResult.UNKNOWN_TYPE};

    /** {@code prometheus.ExponentialBuckets(0.05, 2, 9)}. */
    private static final Duration[] NVIDIA_BUCKETS =
            IntStream.range(0, 9).mapToObj(i -> Duration.ofMillis(50L << i)).toArray(Duration[]::new);

    /** {@code prometheus.DefBuckets}. */
    private static final Duration[] DEFAULT_BUCKETS = Stream.of(5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final MeterRegistry registry;
    private final String node;

    /** Kept for drivers that are served again: the registry keeps the meters, but not the numbers behind its gauges. */
    private final Map<String, CallListener> byDriver = new ConcurrentHashMap<>();

    PluginMetrics(MeterRegistry registry, String node) {
        this.registry = registry;
        this.node = node;
    }

    /** Returns a listener that counts what a driver does; its metrics exist from now on, starting at 0. */
    CallListener of(String driver) {
        return byDriver.computeIfAbsent(driver, OfDriver::new);
    }

    private final class OfDriver implements CallListener {

        private final String driver;
        private final Map<Operation, AtomicLong> inFlight = new ConcurrentHashMap<>();
        private final Map<String, AtomicLong> devices = new ConcurrentHashMap<>();

        OfDriver(String driver) {
            this.driver = driver;
            for (Operation operation : Operation.values()) {
                inFlight(operation);
                requests(operation);
                duration(operation);
                for (Outcome outcome : Outcome.values()) {
                    claims(operation, outcome);
                    claimDuration(operation, outcome);
                    if (outcome != Outcome.SUCCEEDED) {
                        errors(operation, outcome);
                    }
                }
            }
            for (String type : TYPES) {
                devices(type);
            }
        }

        @Override
        public void begun(Operation operation) {
            inFlight(operation).incrementAndGet();
        }

        /** Counts only successful calls as requests, as NVIDIA's driver does. */
        @Override
        public void ended(Operation operation, Outcome outcome, Duration taken) {
            inFlight(operation).decrementAndGet();
            claims(operation, outcome).increment();
            claimDuration(operation, outcome).record(taken);
            if (outcome == Outcome.SUCCEEDED) {
                requests(operation).increment();
                duration(operation).record(taken);
            } else {
                errors(operation, outcome).increment();
            }
        }

        @Override
        public void prepared(Map<String, Long> devicesByType) {
            devicesByType.keySet().forEach(this::devices);
            devices.forEach((type, number) -> number.set(devicesByType.getOrDefault(type, 0L)));
        }

        private AtomicLong inFlight(Operation operation) {
            return inFlight.computeIfAbsent(operation, key -> {
                var number = new AtomicLong();
                Gauge.builder("nvidia.dra.requests.inflight", number, AtomicLong::get)
                        .description("Claims that calls of the kubelet are in progress for")
                        .tags(tags(key))
                        .register(registry);
                return number;
            });
        }

        private AtomicLong devices(String type) {
            return devices.computeIfAbsent(type, key -> {
                var number = new AtomicLong();
                Gauge.builder("nvidia.dra.prepared.devices", number, AtomicLong::get)
                        .description("Devices that are prepared, by their type")
                        .tags("node", node, "driver", driver, "device_type", key)
                        .register(registry);
                return number;
            });
        }

        private Counter requests(Operation operation) {
            return Counter.builder("nvidia.dra.requests")
                    .description("Claims that were prepared or unprepared, with repetitions")
                    .tags(tags(operation))
                    .register(registry);
        }

        private Timer duration(Operation operation) {
            return Timer.builder("nvidia.dra.request.duration")
                    .description("Time that the preparation or unpreparation of claims took where it succeeded")
                    .serviceLevelObjectives(NVIDIA_BUCKETS)
                    .tags(tags(operation))
                    .register(registry);
        }

        private Counter errors(Operation operation, Outcome outcome) {
            String name = lower(operation);
            return Counter.builder("nvidia.dra.node." + name + ".errors")
                    .description(
                            "Claims that the driver failed to %s, with repetitions, by what failed".formatted(name))
                    .tags(
                            "driver",
                            driver,
                            "error_type",
                            outcome == Outcome.BROKEN ? "lock_acquire" : name + "_devices")
                    .register(registry);
        }

        private Counter claims(Operation operation, Outcome outcome) {
            String name = lower(operation);
            return Counter.builder("dra.example.driver." + name + ".claims")
                    .description("Claims that the driver had to %s, with repetitions, by the result".formatted(name))
                    .tags("driver", driver, "result", result(outcome))
                    .register(registry);
        }

        private Timer claimDuration(Operation operation, Outcome outcome) {
            String name = lower(operation);
            return Timer.builder("dra.example.driver." + name + ".claim.duration")
                    .description("Time that the driver took to %s claims".formatted(name))
                    .serviceLevelObjectives(DEFAULT_BUCKETS)
                    .tags("driver", driver, "result", result(outcome))
                    .register(registry);
        }

        private Tags tags(Operation operation) {
            return Tags.of("driver", driver, "operation", lower(operation));
        }

        private static String result(Outcome outcome) {
            return outcome == Outcome.SUCCEEDED ? "success" : "error";
        }

        private static String lower(Operation operation) {
            return operation.name().toLowerCase(Locale.ROOT);
        }
    }
}
