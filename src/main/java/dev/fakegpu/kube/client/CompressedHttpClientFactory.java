package dev.fakegpu.kube.client;

import io.fabric8.kubernetes.client.vertx.VertxHttpClientBuilder;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import io.vertx.ext.web.client.WebClientOptions;

/**
 * Creates HTTP clients that ask for compressed answers, for programs that read a cluster once. Slices become a thirtieth of their size, and a Java
 * that has just been started decrypts slowly.
 */
public final class CompressedHttpClientFactory extends IdleTimeoutHttpClientFactory {

    /** One at a time, because it changes a system property for a moment. */
    @Override
    public VertxHttpClientBuilder<VertxHttpClientFactory> newBuilder() {
        synchronized (CompressedHttpClientFactory.class) {
            return super.newBuilder();
        }
    }

    @Override
    protected void additionalConfig(WebClientOptions options) {
        super.additionalConfig(options);
        options.setDecompressionSupported(true);
    }
}
