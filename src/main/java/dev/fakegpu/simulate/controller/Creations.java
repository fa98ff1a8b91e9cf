package dev.fakegpu.simulate.controller;

import dev.fakegpu.util.SafeText;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Creates pods and claims. If a quota forbids one, an Event on its owner says so, and the creation is retried when an object is deleted
 * that counts toward quotas. Not thread-safe.
 */
final class Creations {

    private final ControlledCluster cluster;
    private final ControllerTime time;

    /** By UID, the owners of objects that could not be created. */
    private final Map<String, HasMetadata> waiting = new LinkedHashMap<>();

    private int written;

    Creations(ControlledCluster cluster, ControllerTime time) {
        this.cluster = cluster;
        this.time = time;
    }

    /**
     * Creates an object.
     *
     * @param reason the reason of the Event
     * @param text the text of the Event, with {@code %s} for the API server's message
     * @return whether the object was created
     */
    boolean create(HasMetadata owner, HasMetadata object, String reason, String text) {
        try {
            cluster.create(object);
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                throw e;
            }
            if (waiting.put(owner.getMetadata().getUid(), owner) == null) {
                write(owner, reason, text.formatted(e.getMessage()));
            }
            return false;
        }
    }

    /** The owners to retry after the change of an object. */
    List<HasMetadata> affected(HasMetadata object) {
        boolean mayHelp = object instanceof ResourceQuota
                || (object instanceof Pod pod && !OwnedPods.isActive(pod))
                || ((object instanceof Pod || object instanceof ResourceClaim) && cluster.get(object) == null);
        if (!mayHelp || waiting.isEmpty()) {
            return List.of();
        }
        var affected = new ArrayList<>(waiting.values());
        waiting.clear();
        return affected;
    }

    private void write(HasMetadata owner, String reason, String message) {
        var metadata = owner.getMetadata();
        String now = time.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        cluster.create(new EventBuilder()
                .withNewMetadata()
                .withNamespace(metadata.getNamespace())
                .withName("%s.creation-%d".formatted(metadata.getName(), ++written))
                .endMetadata()
                .withNewInvolvedObject()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withNamespace(metadata.getNamespace())
                .withName(metadata.getName())
                .withUid(metadata.getUid())
                .endInvolvedObject()
                .withType("Warning")
                .withReason(reason)
                .withMessage(SafeText.of(message, SafeText.EVENT_MESSAGE))
                .withCount(1)
                .withFirstTimestamp(now)
                .withLastTimestamp(now)
                .build());
    }
}
