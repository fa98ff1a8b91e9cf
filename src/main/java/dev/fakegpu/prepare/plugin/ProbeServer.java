package dev.fakegpu.prepare.plugin;

import dev.fakegpu.prepare.plugin.proto.probe.HealthCheckRequest;
import dev.fakegpu.prepare.plugin.proto.probe.HealthCheckResponse;
import dev.fakegpu.prepare.plugin.proto.probe.HealthCheckResponse.ServingStatus;
import dev.fakegpu.prepare.plugin.proto.probe.HealthGrpc;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Serves the kubelet's probes ({@code livenessProbe.grpc}) on a port: whether all plugins of the process respond on their sockets, which
 * are called the way the kubelet calls them. dra-example-driver and NVIDIA's driver do the same.
 */
public final class ProbeServer implements AutoCloseable {

    private static final Set<String> SERVICES = Set.of("", "liveness", "readiness");
    private static final int SECONDS_TO_END = 2;

    private final NioEventLoopGroup eventLoop = new NioEventLoopGroup(1);
    private final Server server;

    /**
     * Serves until it is closed.
     *
     * @param port 0 for any free port
     * @param serves evaluated at each probe
     * @throws IOException if the port cannot be bound
     */
    public ProbeServer(int port, BooleanSupplier serves) throws IOException {
        this.server = NettyServerBuilder.forPort(port)
                .channelType(NioServerSocketChannel.class)
                .bossEventLoopGroup(eventLoop)
                .workerEventLoopGroup(eventLoop)
                .addService(new Health(serves))
                .build();
        try {
            server.start();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    public int port() {
        return server.getPort();
    }

    private static final class Health extends HealthGrpc.HealthImplBase {
        private final BooleanSupplier serves;

        Health(BooleanSupplier serves) {
            this.serves = serves;
        }

        @Override
        public void check(HealthCheckRequest request, StreamObserver<HealthCheckResponse> response) {
            if (!SERVICES.contains(request.getService())) {
                response.onError(Status.NOT_FOUND
                        .withDescription("no service \"%s\"; there are %s".formatted(request.getService(), SERVICES))
                        .asRuntimeException());
                return;
            }
            response.onNext(HealthCheckResponse.newBuilder()
                    .setStatus(serves.getAsBoolean() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING)
                    .build());
            response.onCompleted();
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
        var unused = eventLoop.shutdownGracefully(0, SECONDS_TO_END, TimeUnit.SECONDS);
    }
}
