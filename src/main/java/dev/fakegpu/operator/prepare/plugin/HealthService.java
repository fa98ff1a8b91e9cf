package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.operator.prepare.DeviceHealths;
import dev.fakegpu.operator.prepare.plugin.proto.health.DRAResourceHealthGrpc;
import dev.fakegpu.operator.prepare.plugin.proto.health.DeviceHealth;
import dev.fakegpu.operator.prepare.plugin.proto.health.DeviceIdentifier;
import dev.fakegpu.operator.prepare.plugin.proto.health.HealthStatus;
import dev.fakegpu.operator.prepare.plugin.proto.health.NodeWatchResourcesRequest;
import dev.fakegpu.operator.prepare.plugin.proto.health.NodeWatchResourcesResponse;
import dev.fakegpu.util.SafeText;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** Serves DRAResourceHealth v1 and v1alpha1: streams the health of all devices at once, on each change and every ten seconds. */
final class HealthService implements AutoCloseable {

    /** gRPC service names, newest first. */
    static final List<String> NAMES = List.of("v1.DRAResourceHealth", "v1alpha1.DRAResourceHealth");

    /** The kubelet treats health that has not been repeated for 30 s as unknown. */
    private static final Duration REPEAT_INTERVAL = Duration.ofSeconds(10);

    private final Supplier<Map<DeviceId, DeviceHealths.Health>> healths;
    private static final Logger LOG = Logger.getLogger(HealthService.class);

    private final Clock clock;
    private final Set<ServerCallStreamObserver<NodeWatchResourcesResponse>> watchers = new LinkedHashSet<>();
    private final ScheduledExecutorService repeater = Executors.newSingleThreadScheduledExecutor(task -> {
        var thread = new Thread(task, "device-health");
        thread.setDaemon(true);
        return thread;
    });

    HealthService(Supplier<Map<DeviceId, DeviceHealths.Health>> healths, Clock clock) {
        this.healths = healths;
        this.clock = clock;
    }

    void start() {
        var unused = repeater.scheduleWithFixedDelay(
                this::repeat, REPEAT_INTERVAL.toSeconds(), REPEAT_INTERVAL.toSeconds(), TimeUnit.SECONDS);
    }

    /** An exception would end the repetition permanently, and the kubelet would treat all devices as unknown. */
    private void repeat() {
        try {
            changed();
        } catch (RuntimeException e) {
            LOG.warn("cannot send the health of devices now", e);
        }
    }

    /** Sends the health to all watchers. */
    synchronized void changed() {
        var now = now();
        watchers.forEach(watcher -> send(watcher, now));
    }

    @Override
    public synchronized void close() {
        repeater.shutdownNow();
        watchers.forEach(watcher -> watcher.onError(
                Status.UNAVAILABLE.withDescription("the plugin ends").asRuntimeException()));
        watchers.clear();
    }

    DRAResourceHealthGrpc.DRAResourceHealthImplBase v1() {
        return new DRAResourceHealthGrpc.DRAResourceHealthImplBase() {
            @Override
            public void nodeWatchResources(
                    NodeWatchResourcesRequest request, StreamObserver<NodeWatchResourcesResponse> response) {
                watch(response);
            }
        };
    }

    dev.fakegpu.operator.prepare.plugin.proto.health.v1alpha1.DRAResourceHealthGrpc.DRAResourceHealthImplBase
            v1alpha1() {
        return new dev.fakegpu.operator.prepare.plugin.proto.health.v1alpha1.DRAResourceHealthGrpc
                .DRAResourceHealthImplBase() {
            @Override
            public void nodeWatchResources(
                    NodeWatchResourcesRequest request, StreamObserver<NodeWatchResourcesResponse> response) {
                watch(response);
            }
        };
    }

    private synchronized void watch(StreamObserver<NodeWatchResourcesResponse> response) {
        var watcher = (ServerCallStreamObserver<NodeWatchResourcesResponse>) response;
        watcher.setOnCancelHandler(() -> forget(watcher));
        watchers.add(watcher);
        send(watcher, now());
    }

    private synchronized void forget(ServerCallStreamObserver<NodeWatchResourcesResponse> watcher) {
        watchers.remove(watcher);
    }

    /** Skips a watcher that is too slow: the next message is complete again. */
    private static void send(
            ServerCallStreamObserver<NodeWatchResourcesResponse> watcher, NodeWatchResourcesResponse now) {
        if (!watcher.isCancelled() && watcher.isReady()) {
            watcher.onNext(now);
        }
    }

    private NodeWatchResourcesResponse now() {
        long second = clock.instant().getEpochSecond();
        var response = NodeWatchResourcesResponse.newBuilder();
        healths.get()
                .forEach((id, health) -> response.addDevices(DeviceHealth.newBuilder()
                        .setDevice(DeviceIdentifier.newBuilder()
                                .setPoolName(id.pool())
                                .setDeviceName(id.device()))
                        .setHealth(status(health.state()))
                        .setMessage(SafeText.of(health.message(), SafeText.CONDITION_MESSAGE))
                        .setLastUpdatedTime(second)));
        return response.build();
    }

    private static HealthStatus status(DeviceHealths.State state) {
        return switch (state) {
            case HEALTHY -> HealthStatus.HEALTHY;
            case UNHEALTHY -> HealthStatus.UNHEALTHY;
            case UNKNOWN -> HealthStatus.UNKNOWN;
        };
    }
}
