package dev.fakegpu.operator.prepare.plugin;

import io.grpc.Server;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;

/**
 * Serves the kubelet's probes ({@code livenessProbe.grpc}) on a port: they succeed if all plugins of the process respond on their sockets,
 * which are called the way the kubelet calls them. dra-example-driver and NVIDIA's driver do the same. The sockets are called at an
 * interval, not by probes, so requests to the port cost the plugin almost nothing.
 */
public final class ProbeServer implements AutoCloseable {

    /** The maximum age of a result, apart from the response time of the sockets. */
    public static final Duration INTERVAL = Duration.ofSeconds(5);

    private static final Logger LOG = Logger.getLogger(ProbeServer.class);
    private static final List<String> SERVICES = List.of("", "liveness", "readiness");
    private static final int SECONDS_TO_END = 2;
    private static final int MAX_CONNECTION_AGE_MINUTES = 5;
    private static final int MAX_REQUEST_BYTES = 4096;

    private final NioEventLoopGroup eventLoop = new NioEventLoopGroup(1);
    private final HealthStatusManager health = new HealthStatusManager();
    private final BooleanSupplier serves;
    private final Server server;
    private final ScheduledExecutorService checker = Executors.newSingleThreadScheduledExecutor(task -> {
        var thread = new Thread(task, "probe");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * Serves until it is closed.
     *
     * @param address port 0 for any free port
     * @param serves evaluated once before the port is served, and then at each interval
     * @throws IOException if the port cannot be bound
     */
    public ProbeServer(InetSocketAddress address, BooleanSupplier serves, Duration interval) throws IOException {
        this.serves = serves;
        this.server = NettyServerBuilder.forAddress(address)
                .channelType(NioServerSocketChannel.class)
                .bossEventLoopGroup(eventLoop)
                .workerEventLoopGroup(eventLoop)
                .directExecutor() // the result is always available
                .maxInboundMessageSize(MAX_REQUEST_BYTES)
                .maxConcurrentCallsPerConnection(SERVICES.size())
                .maxConnectionAge(MAX_CONNECTION_AGE_MINUTES, TimeUnit.MINUTES)
                .addService(health.getHealthService())
                .build();
        check();
        try {
            server.start();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
        var unused = checker.scheduleWithFixedDelay(
                this::check, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    public int port() {
        return server.getPort();
    }

    /** An exception would end the repetition permanently. */
    private void check() {
        boolean answers = false;
        try {
            answers = serves.getAsBoolean();
        } catch (RuntimeException e) {
            LOG.warn("the plugin's sockets cannot be checked", e);
        }
        var status = answers ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
        SERVICES.forEach(service -> health.setStatus(service, status));
    }

    @Override
    public void close() {
        checker.shutdownNow();
        server.shutdownNow();
        var unused = eventLoop.shutdownGracefully(0, SECONDS_TO_END, TimeUnit.SECONDS);
    }
}
