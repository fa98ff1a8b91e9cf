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
 * Creates HTTP clients that close a connection on which nothing has been received for {@link #IDLE_TIMEOUT} although something is
 * expected: an answer, or events of a watch. Without it, a watch whose connection was lost silently is never noticed, and its informer
 * stays outdated until the API server would have ended the watch. client-go's HTTP/2 pings serve the same purpose.
 *
 * <p>A watch without changes is not closed, because the API server sends a bookmark each minute or so.
 */
public class IdleTimeoutHttpClientFactory extends VertxHttpClientFactory {

    /** Longer than the time between two bookmarks: one minute and up to a quarter more ({@code cacher.go} of the API server). */
    public static final Duration IDLE_TIMEOUT = Duration.ofMinutes(2);

    private final Duration idleTimeout;

    /** With threads of its own, which end with the client. */
    public IdleTimeoutHttpClientFactory() {
        this(null, IDLE_TIMEOUT);
    }

    /** @param vertx closed by the caller; null for one that ends with the client */
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
