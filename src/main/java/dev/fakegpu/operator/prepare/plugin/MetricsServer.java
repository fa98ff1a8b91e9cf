package dev.fakegpu.operator.prepare.plugin;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Serves the metrics at {@value #PATH}. They are numbers in memory, so a scrape waits neither for the node's lock nor for the API server,
 * and requests to the port cost the plugin almost nothing.
 */
public final class MetricsServer implements AutoCloseable {

    static final String PATH = "/metrics";

    private static final int IDLE_SECONDS = 30;

    private final Vertx vertx = Vertx.vertx(
            new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1).setInternalBlockingPoolSize(1));
    private final Supplier<String> metrics;
    private final HttpServer server;

    /**
     * Serves until it is closed.
     *
     * @param address port 0 for any free port
     * @param metrics in Prometheus' text format
     * @throws IOException if the port cannot be bound
     */
    public MetricsServer(InetSocketAddress address, Supplier<String> metrics) throws IOException {
        this.metrics = metrics;
        var options = new HttpServerOptions().setIdleTimeout(IDLE_SECONDS);
        try {
            server = vertx.createHttpServer(options)
                    .requestHandler(this::answer)
                    .listen(SocketAddress.inetSocketAddress(address))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
        } catch (CompletionException e) {
            vertx.close();
            throw new IOException(
                    "the metrics cannot be served on port %d: %s".formatted(address.getPort(), e.getCause()), e);
        }
    }

    public int port() {
        return server.actualPort();
    }

    private void answer(HttpServerRequest request) {
        if (!PATH.equals(request.path())) {
            request.response().setStatusCode(HttpURLConnection.HTTP_NOT_FOUND).end();
        } else if (request.method() != HttpMethod.GET) {
            request.response().setStatusCode(HttpURLConnection.HTTP_BAD_METHOD).end();
        } else {
            request.response()
                    .putHeader("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
                    .end(metrics.get());
        }
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
