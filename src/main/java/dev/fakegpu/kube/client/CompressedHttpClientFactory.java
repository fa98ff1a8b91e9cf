package dev.fakegpu.kube.client;

import io.fabric8.kubernetes.client.vertx.VertxHttpClientBuilder;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import io.vertx.ext.web.client.WebClientOptions;

/**
 * Creates HTTP clients that ask for compressed responses, for programs that read a cluster once. Compression reduces slices to a thirtieth
 * of their size, and decryption is slow in a JVM that has just started.
 */
public final class CompressedHttpClientFactory extends IdleTimeoutHttpClientFactory {

    /** Synchronized, because it changes a system property for a moment. */
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
