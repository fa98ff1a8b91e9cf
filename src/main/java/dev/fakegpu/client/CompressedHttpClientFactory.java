package dev.fakegpu.client;

import io.vertx.ext.web.client.WebClientOptions;

/**
 * Creates HTTP clients that ask for compressed answers, for programs that read a cluster once. Slices become a thirtieth of their size, and a Java
 * that has just been started decrypts slowly.
 */
public final class CompressedHttpClientFactory extends IdleTimeoutHttpClientFactory {

    @Override
    protected void additionalConfig(WebClientOptions options) {
        super.additionalConfig(options);
        options.setDecompressionSupported(true);
    }
}
