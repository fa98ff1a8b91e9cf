package dev.fakegpu.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ControlPlaneExtension;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import java.net.URI;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ChaChaFirstIT {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.apiServerOnly();

    /** This also works in {@code TLS} contexts in which it is not among the first ciphers, such as Netty's. */
    @Test
    void theApiServerChoosesItAndOtherCiphersAreStillOffered() throws Exception {
        // Given
        var config = controlPlane.controlPlane().config();
        SSLContext context = SSLUtils.sslContext(config);
        var offered = new ChaChaFirst(new JdkSslContext(context, true, ClientAuth.NONE))
                .newEngine(ByteBufAllocator.DEFAULT)
                .getEnabledCipherSuites();
        assertThat(offered).startsWith("TLS_CHACHA20_POLY1305_SHA256").contains("TLS_AES_128_GCM_SHA256");

        // When
        var server = URI.create(config.getMasterUrl());
        try (var socket = (SSLSocket) context.getSocketFactory().createSocket(server.getHost(), server.getPort())) {
            socket.setEnabledCipherSuites(offered);
            socket.startHandshake();

            // Then
            assertThat(socket.getSession().getCipherSuite()).isEqualTo("TLS_CHACHA20_POLY1305_SHA256");
        }
    }
}
