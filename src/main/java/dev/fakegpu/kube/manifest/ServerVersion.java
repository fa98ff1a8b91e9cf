package dev.fakegpu.kube.manifest;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;

/** Asks an API server for its version. */
public final class ServerVersion {

    private ServerVersion() {}

    /** The known version that is nearest to that of the API server; empty if it cannot be read. */
    public static Optional<KubernetesVersion> of(KubernetesClient client) {
        try {
            return Optional.ofNullable(client.getKubernetesVersion())
                    .flatMap(version -> KubernetesVersion.nearest(version.getMajor(), version.getMinor()));
        } catch (KubernetesClientException e) {
            return Optional.empty();
        }
    }
}
