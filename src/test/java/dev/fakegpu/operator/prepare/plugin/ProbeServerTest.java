package dev.fakegpu.operator.prepare.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.ManagedChannel;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests probes as the kubelet sends them, with the gRPC health service on a port. */
class ProbeServerTest {

    private final AtomicBoolean serves = new AtomicBoolean(true);
    private final NioEventLoopGroup loop = new NioEventLoopGroup(1);

    @AfterEach
    void stop() throws InterruptedException {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "liveness"})
    void whetherThePluginServesIsReported(String service) throws IOException {
        try (var probes = new ProbeServer(new InetSocketAddress(0), serves::get, Duration.ofMillis(100))) {
            ManagedChannel prober = prober(probes);
            assertThat(HealthGrpc.SERVICE_NAME).isEqualTo("grpc.health.v1.Health");
            assertThat(check(prober, service)).isEqualTo(ServingStatus.SERVING);

            serves.set(false);

            await().untilAsserted(() -> assertThat(check(prober, service)).isEqualTo(ServingStatus.NOT_SERVING));
            assertThatThrownBy(() -> check(prober, "x")).hasMessageContaining("NOT_FOUND");
            prober.shutdownNow();
        }
    }

    /** Clients of the port must not be able to make the plugin call its sockets. */
    @Test
    void probesDoNotCallTheSockets() throws IOException {
        var calls = new AtomicInteger();
        BooleanSupplier counted = () -> calls.incrementAndGet() > 0;
        try (var probes = new ProbeServer(new InetSocketAddress(0), counted, Duration.ofHours(1))) {
            ManagedChannel prober = prober(probes);
            for (int i = 0; i < 100; i++) {
                assertThat(check(prober, "")).isEqualTo(ServingStatus.SERVING);
            }

            assertThat(calls).hasValue(1);
            prober.shutdownNow();
        }
    }

    private ManagedChannel prober(ProbeServer probes) {
        return NettyChannelBuilder.forAddress("127.0.0.1", probes.port())
                .channelType(NioSocketChannel.class)
                .eventLoopGroup(loop)
                .usePlaintext()
                .build();
    }

    private static ServingStatus check(ManagedChannel prober, String service) {
        return HealthGrpc.newBlockingStub(prober)
                .check(HealthCheckRequest.newBuilder().setService(service).build())
                .getStatus();
    }
}
