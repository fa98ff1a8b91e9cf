package dev.fakegpu.operator.prepare.plugin;

import static dev.fakegpu.operator.prepare.plugin.Claims.DRIVER;
import static dev.fakegpu.operator.prepare.plugin.Claims.allocated;
import static dev.fakegpu.operator.prepare.plugin.Claims.uid;
import static dev.fakegpu.operator.prepare.plugin.FakeNode.MIG_0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.operator.prepare.plugin.proto.dra.Claim;
import dev.fakegpu.operator.prepare.plugin.proto.dra.DRAPluginGrpc;
import dev.fakegpu.operator.prepare.plugin.proto.dra.NodePrepareResourcesRequest;
import dev.fakegpu.testing.Patience;
import dev.fakegpu.util.Ticker;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests messages that no kubelet sends; {@code -Dfuzzed.calls=N} sets their number, and {@code -Dfuzzed.seed} repeats a run. */
class FuzzedCallsTest {

    private static final int CALLS = Integer.getInteger("fuzzed.calls", 400);

    private static final List<String> METHODS = List.of(
            "k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin/NodePrepareResources",
            "k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin/NodeUnprepareResources",
            "k8s.io.kubelet.pkg.apis.dra.v1beta1.DRAPlugin/NodePrepareResources",
            "k8s.io.kubelet.pkg.apis.dra.v1beta1.DRAPlugin/NodeUnprepareResources",
            "pluginregistration.Registration/GetInfo",
            "pluginregistration.Registration/NotifyRegistrationStatus",
            "k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin/NoSuchMethod");

    /** The expected results of a call; any other one is a failure of the plugin. */
    private static final Set<Status.Code> ENDS = Set.of(
            Status.Code.OK,
            Status.Code.CANCELLED,
            Status.Code.INTERNAL,
            Status.Code.UNKNOWN,
            Status.Code.UNIMPLEMENTED,
            Status.Code.INVALID_ARGUMENT,
            Status.Code.RESOURCE_EXHAUSTED);

    private static final List<String> STRINGS = List.of(
            "",
            ".",
            "..",
            "../../../etc/passwd",
            "/",
            "a\u0000b",
            "\u001b[2J",
            "default",
            "checkpoint",
            "serialize.lock",
            "x".repeat(100_000),
            "\ud83d\ude00",
            "00000000-0000-0000-0000-000000000000",
            "A1B2C3D4-0000-0000-0000-000000000000");

    @TempDir
    Path root;

    private final FakeNode node = new FakeNode();

    @Test
    void thePluginAnswersAndStaysAsItIs() throws Exception {
        // Given
        long seed = Long.getLong("fuzzed.seed", 7);
        var random = new Random(seed);
        var paths = FakeNode.paths(root, DRIVER);
        var loop = new NioEventLoopGroup(1);
        node.put(allocated("a", MIG_0));
        try (var server = server(paths)) {
            var channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(paths.driverSocket()))
                    .channelType(NioDomainSocketChannel.class)
                    .eventLoopGroup(loop)
                    .usePlaintext()
                    .build();
            Set<String> before = files();

            // When
            for (int i = 0; i < CALLS; i++) {
                byte[] message = message(random);
                assertThat(call(channel, METHODS.get(random.nextInt(METHODS.size())), message))
                        .as("call %d with seed %d to %s", i, seed, server)
                        .isIn(ENDS);
            }

            // Then
            assertThat(files().stream().filter(file -> !before.contains(file) && !file.endsWith("checkpoint")))
                    .allMatch(file ->
                            file.contains(uid("a")) || file.endsWith("serialize.lock") || file.endsWith("claims"));
            assertThat(DRAPluginGrpc.newBlockingStub(channel)
                            .nodePrepareResources(valid())
                            .getClaimsOrThrow(uid("a"))
                            .getError())
                    .isEmpty();
            channel.shutdownNow();
        } finally {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }

    /** A message that is empty, or a valid one with changed bytes or changed texts. */
    private static byte[] message(Random random) {
        int kind = random.nextInt(3);
        if (kind == 0) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            return bytes;
        }
        if (kind == 1) {
            byte[] bytes = valid().toByteArray();
            for (int i = 0; i < 3; i++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            return bytes;
        }
        var request = NodePrepareResourcesRequest.newBuilder();
        for (int i = random.nextInt(5); i >= 0; i--) {
            request.addClaims(Claim.newBuilder()
                    .setNamespace(text(random))
                    .setName(random.nextBoolean() ? "a" : text(random))
                    .setUid(random.nextInt(4) == 0 ? uid("a") : text(random)));
        }
        return request.build().toByteArray();
    }

    private static String text(Random random) {
        return STRINGS.get(random.nextInt(STRINGS.size()));
    }

    private static NodePrepareResourcesRequest valid() {
        return NodePrepareResourcesRequest.newBuilder()
                .addClaims(
                        Claim.newBuilder().setNamespace("default").setName("a").setUid(uid("a")))
                .build();
    }

    private static Status.Code call(ManagedChannel channel, String method, byte[] message) {
        var descriptor = MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(method)
                .setRequestMarshaller(new BytesMarshaller())
                .setResponseMarshaller(new BytesMarshaller())
                .build();
        var options = CallOptions.DEFAULT.withDeadlineAfter(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        try {
            ClientCalls.blockingUnaryCall(channel, descriptor, options, message);
            return Status.Code.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        }
    }

    private UnixServer server(PluginPaths paths) throws IOException {
        var service = new DriverService(node.preparer(paths, Ticker.SYSTEM), CallListener.NONE, Ticker.SYSTEM);
        return UnixServer.start(
                paths.driverSocket(),
                List.of(
                        service.v1(),
                        service.v1beta1(),
                        new RegistrationService(DRIVER, paths.driverSocket(), DriverService.NAMES, registered -> {})));
    }

    private Set<String> files() throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(Path::toString).collect(Collectors.toSet());
        }
    }
}
