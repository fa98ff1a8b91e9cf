package dev.fakegpu.simulate.controller;

import dev.fakegpu.simulate.controller.DueEviction.Manager;
import dev.fakegpu.util.SafeText;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.temporal.ChronoUnit;

/** Writes the Events of evictions, in the words of kube-controller-manager. */
final class EvictionEvents {

    private final ControlledCluster cluster;
    private final ControllerTime time;
    private int written;

    EvictionEvents(ControlledCluster cluster, ControllerTime time) {
        this.cluster = cluster;
        this.time = time;
    }

    /** @param text the message, with {@code %s} for the namespace and name of the pod */
    void write(Pod pod, Manager manager, String text) {
        var metadata = pod.getMetadata();
        String now = time.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        cluster.create(new EventBuilder()
                .withNewMetadata()
                .withNamespace(metadata.getNamespace())
                .withName("%s.eviction-%d".formatted(metadata.getName(), ++written))
                .endMetadata()
                .withNewInvolvedObject()
                .withApiVersion("v1")
                .withKind("Pod")
                .withNamespace(metadata.getNamespace())
                .withName(metadata.getName())
                .withUid(metadata.getUid())
                .endInvolvedObject()
                .withType("Normal")
                .withReason(manager.event)
                .withMessage(SafeText.of(
                        text.formatted(metadata.getNamespace() + "/" + metadata.getName()), SafeText.EVENT_MESSAGE))
                .withCount(1)
                .withFirstTimestamp(now)
                .withLastTimestamp(now)
                .build());
    }
}
