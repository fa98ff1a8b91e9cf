package dev.fakegpu.testing;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Collection;

/** Deletes many objects. */
public final class Deletion {

    private Deletion() {}

    /**
     * Deletes the objects by a request for each, several at a time. One request for all of them is served one object after the
     * other, and is cut off after a minute: on a slow disk that is less than a thousand objects.
     */
    public static void ofEach(KubernetesClient client, Collection<? extends HasMetadata> objects) {
        objects.parallelStream().forEach(object -> client.resource(object).delete());
    }
}
