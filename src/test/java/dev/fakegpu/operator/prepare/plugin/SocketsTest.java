package dev.fakegpu.operator.prepare.plugin;

import static dev.fakegpu.operator.prepare.plugin.Claims.DRIVER;
import static dev.fakegpu.operator.prepare.plugin.Claims.allocated;
import static dev.fakegpu.operator.prepare.plugin.Claims.prepare;
import static dev.fakegpu.operator.prepare.plugin.Claims.uid;
import static dev.fakegpu.operator.prepare.plugin.Claims.unprepare;
import static dev.fakegpu.operator.prepare.plugin.FakeNode.MIG_0;
import static dev.fakegpu.operator.prepare.plugin.FakeNode.MIG_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.operator.prepare.DeviceHealths;
import dev.fakegpu.operator.prepare.plugin.proto.dra.DRAPluginGrpc;
import dev.fakegpu.operator.prepare.plugin.proto.dra.NodePrepareResourcesResponse;
import dev.fakegpu.operator.prepare.plugin.proto.health.DRAResourceHealthGrpc;
import dev.fakegpu.operator.prepare.plugin.proto.health.HealthStatus;
import dev.fakegpu.operator.prepare.plugin.proto.health.NodeWatchResourcesRequest;
import dev.fakegpu.operator.prepare.plugin.proto.registration.InfoRequest;
import dev.fakegpu.operator.prepare.plugin.proto.registration.RegistrationGrpc;
import dev.fakegpu.operator.prepare.plugin.proto.registration.RegistrationStatus;
import dev.fakegpu.testing.Patience;
import dev.fakegpu.util.Ticker;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the services as the kubelet calls them, with gRPC over a Unix socket. */
class SocketsTest {

    @TempDir
    Path root;

    private final FakeNode node = new FakeNode();
    private final List<Boolean> registered = new CopyOnWriteArrayList<>();
    private final Map<DeviceId, DeviceHealths.Health> healths = new ConcurrentHashMap<>();
    private final HealthService health = new HealthService(() -> healths, Clock.systemUTC());
    private final NioEventLoopGroup clientLoop = new NioEventLoopGroup(1);
    private Path socket;
    private UnixServer server;
    private ManagedChannel channel;

    @BeforeEach
    void start() throws IOException {
        var paths = FakeNode.paths(root, DRIVER);
        socket = paths.driverSocket();
        var service = new DriverService(node.preparer(paths, Ticker.SYSTEM), CallListener.NONE, Ticker.SYSTEM);
        Files.writeString(socket, "left by a plugin that was killed");
        server = UnixServer.start(
                socket,
                List.of(
                        service.v1(),
                        service.v1beta1(),
                        health.v1(),
                        health.v1alpha1(),
                        new RegistrationService(DRIVER, socket, DriverService.NAMES, registered::add)));
        channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class)
                .eventLoopGroup(clientLoop)
                .usePlaintext()
                .build();
    }

    @AfterEach
    void stop() throws Exception {
        channel.shutdownNow();
        health.close();
        server.close();
        clientLoop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }

    @Test
    void servicesHaveTheNamesThatKubeletsCall() {
        assertThat(DRAPluginGrpc.SERVICE_NAME).isEqualTo("k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin");
        assertThat(dev.fakegpu.operator.prepare.plugin.proto.dra.v1beta1.DRAPluginGrpc.SERVICE_NAME)
                .isEqualTo("k8s.io.kubelet.pkg.apis.dra.v1beta1.DRAPlugin");
        assertThat(DRAResourceHealthGrpc.SERVICE_NAME).isEqualTo("v1.DRAResourceHealth");
        assertThat(dev.fakegpu.operator.prepare.plugin.proto.health.v1alpha1.DRAResourceHealthGrpc.SERVICE_NAME)
                .isEqualTo("v1alpha1.DRAResourceHealth");
        assertThat(RegistrationGrpc.SERVICE_NAME).isEqualTo("pluginregistration.Registration");
    }

    @Test
    void registrationReturnsDriverEndpointAndServices() {
        // When
        var info = RegistrationGrpc.newBlockingStub(channel).getInfo(InfoRequest.getDefaultInstance());

        // Then
        assertThat(info.getType()).isEqualTo("DRAPlugin");
        assertThat(info.getName()).isEqualTo(DRIVER);
        assertThat(info.getEndpoint()).isEqualTo(socket.toString());
        assertThat(info.getSupportedVersionsList()).containsExactly("v1.DRAPlugin", "v1beta1.DRAPlugin");
    }

    @Test
    void theResultOfTheRegistrationIsPassedOn() {
        // Given
        var kubelet = RegistrationGrpc.newBlockingStub(channel);

        // When
        kubelet.notifyRegistrationStatus(
                RegistrationStatus.newBuilder().setError("no handler").build());
        kubelet.notifyRegistrationStatus(
                RegistrationStatus.newBuilder().setPluginRegistered(true).build());

        // Then
        assertThat(registered).containsExactly(false, true);
    }

    @Test
    void probesAskBothServices() throws IOException {
        assertThat(SocketProbe.answer(socket, socket)).isTrue();

        server.close();

        assertThat(SocketProbe.answer(socket, socket)).isFalse();
    }

    @Test
    void onlyTheOwnerMayConnect() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                .isEqualTo("rw-------");
    }

    @Test
    void moreCallsThanTheLimitAreRefused() {
        // Given
        node.put(allocated("a", MIG_0));
        var kubelet = DRAPluginGrpc.newFutureStub(channel);
        node.edit(withFault("{name: stuck, effect: Hang}"));
        var hanging = new ArrayList<Future<NodePrepareResourcesResponse>>();

        // Then
        await().untilAsserted(() -> {
            hanging.removeIf(Future::isDone); // calls that were refused while the call below was in progress
            while (hanging.size() < UnixServer.MAX_CALLS) {
                hanging.add(kubelet.nodePrepareResources(prepare("a")));
            }
            assertThatThrownBy(() -> DRAPluginGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(200, TimeUnit.MILLISECONDS)
                            .nodePrepareResources(prepare()))
                    .hasMessageContaining("RESOURCE_EXHAUSTED: 64 calls are in progress");
        });

        // When
        node.edit(withFault(""));

        // Then
        assertThat(hanging)
                .filteredOn(call -> !isRefused(call)) // refused while an earlier call of the loop was in progress
                .hasSizeGreaterThan(UnixServer.MAX_CALLS / 2)
                .allSatisfy(call -> assertThat(call).succeedsWithin(Patience.LIMIT));
        await().untilAsserted(() -> assertThat(DRAPluginGrpc.newBlockingStub(channel)
                        .nodePrepareResources(prepare("a"))
                        .getClaimsMap())
                .hasSize(1));
    }

    private static boolean isRefused(Future<?> call) {
        try {
            call.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
            return false;
        } catch (ExecutionException e) {
            return String.valueOf(e.getMessage()).contains("RESOURCE_EXHAUSTED");
        } catch (InterruptedException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void everyClaimIsAnswered() {
        // Given
        node.put(allocated("a", MIG_0));

        // When
        var response = DRAPluginGrpc.newBlockingStub(channel).nodePrepareResources(prepare("a", "missing"));

        // Then
        assertThat(response.getClaimsMap()).containsOnlyKeys(uid("a"), uid("missing"));
        assertThat(response.getClaimsOrThrow(uid("missing")).getError())
                .isEqualTo("retrieve claim default/missing: it does not exist");
        assertThat(response.getClaimsOrThrow(uid("a")).getDevicesList())
                .singleElement()
                .satisfies(device -> {
                    assertThat(device.getPoolName()).isEqualTo(Claims.POOL);
                    assertThat(device.getDeviceName()).isEqualTo(MIG_0);
                    assertThat(device.getRequestNamesList()).containsExactly("gpu");
                    assertThat(device.getCdiDeviceIdsList())
                            .containsExactly("k8s.gpu.example.com/claim=" + uid("a") + "-" + MIG_0);
                    assertThat(device.hasShareId()).isFalse();
                });
    }

    @Test
    void theOldServiceReturnsTheSame() {
        // Given
        node.put(allocated("a", MIG_0));
        var old = dev.fakegpu.operator.prepare.plugin.proto.dra.v1beta1.DRAPluginGrpc.newBlockingStub(channel);

        // When
        var response = old.nodePrepareResources(prepare("a"));

        // Then
        assertThat(response).isEqualTo(DRAPluginGrpc.newBlockingStub(channel).nodePrepareResources(prepare("a")));
        assertThat(old.nodeUnprepareResources(unprepare("a", "never-seen")).getClaimsMap())
                .containsOnlyKeys(uid("a"), uid("never-seen"))
                .allSatisfy((uid, result) -> assertThat(result.getError()).isEmpty());
    }

    @Test
    void faultsFailTheUnpreparationOfMatchingClaimsOnly() {
        // Given
        node.put(allocated("a", MIG_0));
        node.put(allocated("b", MIG_1));
        var kubelet = DRAPluginGrpc.newBlockingStub(channel);
        kubelet.nodePrepareResources(prepare("a", "b"));
        node.edit(withFault("{name: sticky, operation: Unprepare, devices: {names: [" + MIG_0 + "]}}"));

        // When
        var answers = kubelet.nodeUnprepareResources(unprepare("a", "b")).getClaimsMap();

        // Then
        assertThat(answers.get(uid("a")).getError()).isEqualTo("injected fault \"sticky\"");
        assertThat(answers.get(uid("b")).getError()).isEmpty();
    }

    @Test
    void aHangingUnpreparationEndsAtTheKubeletsDeadlineOrWithTheFault() {
        // Given
        node.put(allocated("a", MIG_0));
        var kubelet = DRAPluginGrpc.newBlockingStub(channel);
        kubelet.nodePrepareResources(prepare("a"));
        node.edit(withFault("{name: stuck, operation: Unprepare, effect: Hang}"));

        // Then: the call is repeated as by the kubelet, since its deadline may pass before it is sent
        await().untilAsserted(() -> {
            assertThatThrownBy(() -> kubelet.withDeadlineAfter(500, TimeUnit.MILLISECONDS)
                            .nodeUnprepareResources(unprepare("a")))
                    .hasMessageContaining("DEADLINE_EXCEEDED");
            assertThat(node.told).contains("not unprepared a: the kubelet has given up (injected fault \"stuck\")");
        });

        // When
        var answer = DRAPluginGrpc.newFutureStub(channel).nodeUnprepareResources(unprepare("a"));
        node.edit(withFault(""));

        // Then
        assertThat(answer)
                .succeedsWithin(Patience.LIMIT)
                .satisfies(done ->
                        assertThat(done.getClaimsOrThrow(uid("a")).getError()).isEmpty());
        assertThat(node.told).contains("unprepared a");
    }

    private static String withFault(String fault) {
        return "{nodes: {names: [node-1]}, model: A100-SXM4-40GB, count: 1, partitions: {whole: true, mig: {profiles: [1g.5gb]}}, faults: ["
                + fault + "]}";
    }

    @Test
    void healthIsSentAtOnceAndWhenItChanges() {
        // Given
        healths.put(Claims.device("gpu-0"), DeviceHealths.Health.GOOD);
        var watch = DRAResourceHealthGrpc.newBlockingStub(channel)
                .withDeadlineAfter(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)
                .nodeWatchResources(NodeWatchResourcesRequest.getDefaultInstance());

        // Then
        assertThat(watch.next().getDevicesList()).singleElement().satisfies(device -> {
            assertThat(device.getDevice().getPoolName()).isEqualTo(Claims.POOL);
            assertThat(device.getDevice().getDeviceName()).isEqualTo("gpu-0");
            assertThat(device.getHealth()).isEqualTo(HealthStatus.HEALTHY);
            assertThat(device.getLastUpdatedTime()).isPositive();
        });

        // When
        healths.put(
                Claims.device("gpu-0"), new DeviceHealths.Health(DeviceHealths.State.UNHEALTHY, "tainted by a test"));
        health.changed();

        // Then
        assertThat(watch.next().getDevicesList()).singleElement().satisfies(device -> {
            assertThat(device.getHealth()).isEqualTo(HealthStatus.UNHEALTHY);
            assertThat(device.getMessage()).isEqualTo("tainted by a test");
        });
    }

    @Test
    void aPluginDeletesItsSocketsWhenItEnds() throws IOException {
        // When
        server.close();

        // Then
        assertThat(socket).doesNotExist();
    }

    @Test
    void onlyDeadSocketsAreDeleted() throws IOException {
        // Given
        Path dead = root.resolve("dead.sock");
        try (var killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            killed.bind(UnixDomainSocketAddress.of(dead));
        }

        // When
        UnixServer.deleteIfDead(dead);
        UnixServer.deleteIfDead(socket);

        // Then
        assertThat(dead).doesNotExist();
        assertThat(socket).exists();
    }
}
