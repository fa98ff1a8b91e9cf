package dev.fakegpu.kube.client;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientBuilder;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import io.vertx.core.Vertx;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import io.vertx.ext.web.client.WebClientOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Creates HTTP clients that close a connection on which nothing has been received for {@link #IDLE_TIMEOUT} although a response or watch
 * event is expected. Without this, a watch whose connection was lost silently is never noticed, and its informer stays outdated until the
 * time at which the API server would have ended the watch. client-go uses HTTP/2 pings for the same purpose.
 *
 * <p>A watch without changes is not closed, because the API server sends a bookmark about once a minute. It sends the head of its response
 * at once, so a watch without one is closed earlier, after {@link #HEAD_TIMEOUT}.
 */
public class IdleTimeoutHttpClientFactory extends VertxHttpClientFactory {

    /** Longer than the time between two bookmarks, which is between 60 and 75 seconds ({@code cacher.go} of the API server). */
    public static final Duration IDLE_TIMEOUT = Duration.ofMinutes(2);

    /**
     * The time for the head of the response to a watch over plain HTTP, for which the client has no limit. The client opens such watches
     * when the handshake of a WebSocket fails.
     */
    private static final Duration HEAD_TIMEOUT = Duration.ofSeconds(30);

    private final Duration idleTimeout;
    private final Duration headTimeout;

    /** A factory of clients with threads of their own, which end with the client. */
    public IdleTimeoutHttpClientFactory() {
        this(null, IDLE_TIMEOUT);
    }

    /** @param vertx closed by the caller; null for an instance that ends with the client */
    public IdleTimeoutHttpClientFactory(@Nullable Vertx vertx, Duration idleTimeout) {
        this(vertx, idleTimeout, HEAD_TIMEOUT);
    }

    IdleTimeoutHttpClientFactory(@Nullable Vertx vertx, Duration idleTimeout, Duration headTimeout) {
        super(vertx);
        this.idleTimeout = idleTimeout;
        this.headTimeout = headTimeout;
    }

    @Override
    public VertxHttpClientBuilder<VertxHttpClientFactory> newBuilder() {
        return super.newBuilder().addOrReplaceInterceptor("head-timeout", new HeadTimeout(headTimeout));
    }

    @Override
    protected void additionalConfig(WebClientOptions options) {
        options.setIdleTimeoutUnit(TimeUnit.MILLISECONDS).setReadIdleTimeout(Math.toIntExact(idleTimeout.toMillis()));
        if (options.getSslEngineOptions() instanceof JdkSSLEngineOptions tls) {
            options.setSslEngineOptions(new PreferringChaCha(tls));
        }
    }

    private record HeadTimeout(Duration limit) implements Interceptor {
        @Override
        public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
            if (builder instanceof HttpRequest.Builder plain
                    && request instanceof StandardHttpRequest sent
                    && sent.isForStreaming()) {
                plain.timeout(limit.toMillis(), TimeUnit.MILLISECONDS);
            }
        }
    }

    private static final class PreferringChaCha extends JdkSSLEngineOptions {
        private final JdkSSLEngineOptions tls;

        PreferringChaCha(JdkSSLEngineOptions tls) {
            this.tls = tls;
        }

        @Override
        public JdkSSLEngineOptions copy() {
            return this;
        }

        @Override
        public SslContextFactory sslContextFactory() {
            SslContextFactory factory = tls.sslContextFactory();
            return () -> new ChaChaFirst(factory.create());
        }
    }
}
