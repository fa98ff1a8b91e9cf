package dev.fakegpu.operator.prepare.plugin;

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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Serves gRPC on a Unix socket with the JDK's own sockets, so that no native library is needed. */
final class UnixServer implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(UnixServer.class);

    /**
     * The maximum number of calls in progress, including the streams of device health. The kubelet makes one call for each pod that starts
     * or ends.
     */
    static final int MAX_CALLS = 64;

    private static final int SHUTDOWN_SECONDS = 5;

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

    /** Replaces a socket left behind by a dead plugin.
     *
     * @throws IOException if the socket cannot be created
     */
    static UnixServer start(Path socket, List<BindableService> services) throws IOException {
        Files.deleteIfExists(socket);
        var eventLoop = new NioEventLoopGroup(1);
        // Uses one thread per call: calls block on the API server, on each other and on injected faults, and the
        // kubelet makes few of them.
        // CallLimit bounds them.
        var calls = Executors.newCachedThreadPool();
        var builder = NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioServerDomainSocketChannel.class)
                .bossEventLoopGroup(eventLoop)
                .workerEventLoopGroup(eventLoop)
                .executor(calls)
                .intercept(new CallLimit(MAX_CALLS));
        services.forEach(builder::addService);
        var server = new UnixServer(socket, eventLoop, calls, builder.build());
        try {
            server.server.start();
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString(DurableFiles.PRIVATE));
            return server;
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /**
     * Deletes a socket on which no process listens: its plugin was killed, and no other plugin uses the same name. Must not be called while
     * another plugin may be about to listen on it.
     */
    static void deleteIfDead(Path socket) throws IOException {
        try (var client = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            LOG.debugf("another plugin listens at %s", socket);
        } catch (ConnectException e) {
            LOG.infof("no process listens at %s, so it is deleted", socket);
            Files.deleteIfExists(socket);
        }
    }

    /** Deletes the socket, which the kubelet notices, and waits for the calls in progress. */
    @Override
    public void close() throws IOException {
        server.shutdown();
        try {
            Files.deleteIfExists(socket);
            if (!server.awaitTermination(SHUTDOWN_SECONDS, TimeUnit.SECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        } finally {
            calls.shutdown();
            var unused = eventLoop.shutdownGracefully(0, SHUTDOWN_SECONDS, TimeUnit.SECONDS);
        }
    }
}
