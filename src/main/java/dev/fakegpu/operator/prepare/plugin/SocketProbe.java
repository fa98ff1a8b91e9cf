package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.operator.prepare.plugin.proto.dra.DRAPluginGrpc;
import dev.fakegpu.operator.prepare.plugin.proto.dra.NodePrepareResourcesRequest;
import dev.fakegpu.operator.prepare.plugin.proto.registration.InfoRequest;
import dev.fakegpu.operator.prepare.plugin.proto.registration.RegistrationGrpc;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/** Calls a plugin's sockets the way the kubelet does, but without a claim: the plugin takes the node's lock and reads the checkpoint. */
final class SocketProbe {

    private static final Logger LOG = Logger.getLogger(SocketProbe.class);
    private static final int TIMEOUT_SECONDS = 5;

    private SocketProbe() {}

    static boolean answer(Path registration, Path driver) {
        var eventLoop = new NioEventLoopGroup(1);
        try {
            return answers(registration, eventLoop, channel -> {
                        var unused = RegistrationGrpc.newBlockingStub(channel)
                                .withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                                .getInfo(InfoRequest.getDefaultInstance());
                    })
                    && answers(driver, eventLoop, channel -> {
                        var unused = DRAPluginGrpc.newBlockingStub(channel)
                                .withDeadlineAfter(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                                .nodePrepareResources(NodePrepareResourcesRequest.getDefaultInstance());
                    });
        } finally {
            var unused = eventLoop.shutdownGracefully(0, TIMEOUT_SECONDS, TimeUnit.SECONDS);
        }
    }

    private static boolean answers(Path socket, NioEventLoopGroup eventLoop, Consumer<ManagedChannel> call) {
        var channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class)
                .eventLoopGroup(eventLoop)
                .usePlaintext()
                .build();
        try {
            call.accept(channel);
            return true;
        } catch (StatusRuntimeException e) {
            LOG.warnf("%s does not answer: %s", socket, e.getMessage());
            return false;
        } finally {
            channel.shutdownNow();
        }
    }
}
