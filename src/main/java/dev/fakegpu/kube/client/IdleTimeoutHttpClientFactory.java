package dev.fakegpu.kube.client;

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
 * <p>A watch without changes is not closed, because the API server sends a bookmark about once a minute.
 */
public class IdleTimeoutHttpClientFactory extends VertxHttpClientFactory {

    /** Longer than the time between two bookmarks, which is between 60 and 75 seconds ({@code cacher.go} of the API server). */
    public static final Duration IDLE_TIMEOUT = Duration.ofMinutes(2);

    private final Duration idleTimeout;

    /** A factory of clients with threads of their own, which end with the client. */
    public IdleTimeoutHttpClientFactory() {
        this(null, IDLE_TIMEOUT);
    }

    /** @param vertx closed by the caller; null for an instance that ends with the client */
    public IdleTimeoutHttpClientFactory(@Nullable Vertx vertx, Duration idleTimeout) {
        super(vertx);
        this.idleTimeout = idleTimeout;
    }

    @Override
    protected void additionalConfig(WebClientOptions options) {
        options.setIdleTimeoutUnit(TimeUnit.MILLISECONDS).setReadIdleTimeout(Math.toIntExact(idleTimeout.toMillis()));
        if (options.getSslEngineOptions() instanceof JdkSSLEngineOptions tls) {
            options.setSslEngineOptions(new PreferringChaCha(tls));
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
