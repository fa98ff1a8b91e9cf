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
 * What takes a client of {@link ClientSerialization#snapshotBuilder} long the first time only: a command does it on another thread while it
 * reads its arguments and the kubeconfig. It changes nothing but the time that the client takes afterwards.
 */
public final class ClientPreparation {

    private ClientPreparation() {}

    /** @param types of the objects that will be read */
    public static void run(Collection<? extends Class<? extends HasMetadata>> types) {
        new CompressedHttpClientFactory().newBuilder().build().close();
        firstMessageOfTls();
        ObjectMapper mapper = ClientSerialization.snapshotMapper();
        types.forEach(mapper::readerFor); // which finds out how to read them
    }

    /** A client begins with keys on several elliptic curves, for which Java calculates tables. */
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
            // The client will have the same problem, and says so.
        }
    }
}
