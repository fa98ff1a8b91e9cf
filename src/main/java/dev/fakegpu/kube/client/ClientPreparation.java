package dev.fakegpu.kube.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;

/**
 * Runs the parts of {@link ClientSerialization#snapshotBuilder} that take long the first time. A command runs them on another thread while
 * it reads its arguments and the kubeconfig. They only make the client faster.
 */
public final class ClientPreparation {

    private ClientPreparation() {}

    /** @param types the types of objects that will be read */
    public static void run(Collection<? extends Class<? extends HasMetadata>> types) {
        new CompressedHttpClientFactory().newBuilder().build().close();
        firstMessageOfTls();
        ObjectMapper mapper = ClientSerialization.snapshotMapper();
        types.forEach(mapper::readerFor); // makes Jackson introspect the types
    }

    /** Computes the tables for elliptic curves that Java needs for a TLS handshake, since a client begins with keys on several curves. */
    private static void firstMessageOfTls() {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[0], null);
            SSLEngine engine = context.createSSLEngine("localhost", 443);
            engine.setUseClientMode(true);
            engine.wrap(
                    ByteBuffer.allocate(0),
                    ByteBuffer.allocate(engine.getSession().getPacketBufferSize()));
        } catch (GeneralSecurityException | SSLException e) {
            // The client will have the same problem and report it.
        }
    }
}
