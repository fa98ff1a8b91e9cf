package dev.fakegpu.simulate.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Maintains the number of pods ({@code pkg/controller/replicaset}). Pods that have ended or are being deleted are replaced immediately. */
final class ReplicaController {

    private final OwnedPods pods;

    ReplicaController(OwnedPods pods) {
        this.pods = pods;
    }

    void sync(HasMetadata owner, PodTemplateSpec template, @Nullable Integer replicas) {
        List<Pod> active = pods.active(owner);
        int missing = Objects.requireNonNullElse(replicas, 1) - active.size();
        if (missing > 0 && pods.areRejected(owner, template)) {
            return;
        }
        if (missing > 0) {
            pods.create(owner, name(owner), template, missing);
        } else {
            pods.deleteSome(active, -missing);
        }
    }

    /** The prefix of the names of pods. Pods of a Deployment have its name. */
    private static String name(HasMetadata owner) {
        return Owners.of(owner)
                .filter(each -> each.getKind().equals("Deployment"))
                .map(OwnerReference::getName)
                .findFirst()
                .orElse(owner.getMetadata().getName());
    }
}
