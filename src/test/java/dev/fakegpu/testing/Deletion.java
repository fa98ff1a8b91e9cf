package dev.fakegpu.testing;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Collection;

/** Deletes many objects. */
public final class Deletion {

    private Deletion() {}

    /**
     * Deletes each object with its own request, several at a time. A single request for all of them would be served sequentially and cut
     * off after a minute, which on a slow disk is enough for less than a thousand objects.
     */
    public static void ofEach(KubernetesClient client, Collection<? extends HasMetadata> objects) {
        objects.parallelStream().forEach(object -> client.resource(object).delete());
    }
}
