package dev.fakegpu.prepare.plugin;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** gRPC services on a Unix socket, by Java's own sockets: no native library is needed. */
final class UnixServer implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(UnixServer.class);

    private static final int SECONDS_TO_END = 5;

    private final Path socket;
    private final NioEventLoopGroup eventLoop;
    private final ExecutorService calls;
    private final Server server;

    private UnixServer(Path socket, NioEventLoopGroup eventLoop, ExecutorService calls, Server server) {
        this.socket = socket;
        this.eventLoop = eventLoop;
        this.calls = calls;
        this.server = server;
    }

    /** @throws IOException if the socket cannot be made; one that a dead plugin left is replaced */
    static UnixServer start(Path socket, List<BindableService> services) throws IOException {
        Files.deleteIfExists(socket);
        var eventLoop = new NioEventLoopGroup(1);
        // Calls wait for the API server, for each other and for injected faults; the kubelet makes few.
        var calls = Executors.newCachedThreadPool();
        var builder = NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioServerDomainSocketChannel.class)
                .bossEventLoopGroup(eventLoop)
                .workerEventLoopGroup(eventLoop)
                .executor(calls);
        services.forEach(builder::addService);
        var server = new UnixServer(socket, eventLoop, calls, builder.build());
        try {
            server.server.start();
            return server;
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /**
     * Deletes a socket that nobody listens on any more: its plugin was killed, and none of that name comes after it. Not to be called
     * while somebody may be about to listen.
     */
    static void deleteIfDead(Path socket) throws IOException {
        try (var client = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            LOG.debugf("another plugin listens at %s", socket);
        } catch (ConnectException e) {
            LOG.infof("nobody listens at %s, so it is deleted", socket);
            Files.deleteIfExists(socket);
        }
    }

    /** Lets calls end that are under way, and takes the socket away, which tells the kubelet. */
    @Override
    public void close() throws IOException {
        server.shutdown();
        try {
            Files.deleteIfExists(socket);
            if (!server.awaitTermination(SECONDS_TO_END, TimeUnit.SECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        } finally {
            calls.shutdown();
            var unused = eventLoop.shutdownGracefully(0, SECONDS_TO_END, TimeUnit.SECONDS);
        }
    }
}
