package dev.fakegpu.simulate.controller;

import dev.fakegpu.cluster.fit.NodeFit;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Replaces the pods of a cluster that was copied without its workloads, as the workloads would: immediately, or, if the replacement has the
 * same name or node, when the pod is gone. Not thread-safe.
 */
final class Replacements {

    /** The kinds of owners whose next pod has the same name or node. */
    private static final Set<String> ONE_AFTER_THE_OTHER = Set.of("StatefulSet", "DaemonSet");

    private final ControlledCluster cluster;
    private final OwnedPods pods;
    private final Creations creations;

    /** The UIDs of the pods of the copied cluster, and of their replacements. */
    private final Set<String> copied;

    /** By UID, the pods to replace when they are gone. */
    private final Map<String, Pod> going = new HashMap<>();

    /** The UIDs of pods whose replacement a quota forbids. */
    private final Set<String> refused = new HashSet<>();

    private final Set<String> notes = new LinkedHashSet<>();

    Replacements(ControlledCluster cluster, OwnedPods pods, Creations creations, Set<String> copied) {
        this.cluster = cluster;
        this.pods = pods;
        this.creations = creations;
        this.copied = copied;
    }

    /** One sentence for each pod that is not replaced. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    /** @param pod a pod that is about to be deleted */
    void deleting(Pod pod) {
        Optional<OwnerReference> owner = controller(pod);
        boolean isLeft = copied.contains(pod.getMetadata().getUid()) && !OwnedPods.isDeleted(pod);
        if (!isLeft || owner.isEmpty() || Owners.workload(cluster, pod).isPresent()) {
            return;
        }
        String kind = owner.get().getKind();
        if (ONE_AFTER_THE_OTHER.contains(kind)) {
            going.put(pod.getMetadata().getUid(), pod);
        } else if (Owners.isWorkload(kind)) {
            create(pod);
        } else {
            notes.add("pod %s/%s is not replaced: what its owner, %s %s, does is not played"
                    .formatted(
                            pod.getMetadata().getNamespace(),
                            pod.getMetadata().getName(),
                            kind,
                            owner.get().getName()));
        }
    }

    void changed(Pod pod) {
        boolean isGone = !going.isEmpty() && cluster.get(pod) == null;
        Pod before = isGone ? going.remove(pod.getMetadata().getUid()) : null;
        if (before != null && isWanted(before)) {
            create(before);
        }
    }

    /** @return false if no replacement of the pod was forbidden */
    boolean again(Pod before) {
        boolean isRefused = refused.remove(before.getMetadata().getUid());
        if (isRefused) {
            create(before);
        }
        return isRefused;
    }

    private void create(Pod before) {
        var metadata = before.getMetadata();
        Pod created = new PodBuilder()
                .withNewMetadata()
                .withNamespace(metadata.getNamespace())
                .withName(nameAfter(before))
                .withLabels(metadata.getLabels())
                .withAnnotations(metadata.getAnnotations())
                .withOwnerReferences(metadata.getOwnerReferences())
                .endMetadata()
                .withSpec(before.getSpec().edit().withNodeName(null).build())
                .build();
        if (creations.create(before, created, "FailedCreate", "Error creating: %s")) {
            copied.add(created.getMetadata().getUid());
        } else {
            refused.add(metadata.getUid());
        }
    }

    /** Whether the node of a DaemonSet's pod is still one of its nodes. */
    private boolean isWanted(Pod pod) {
        if (Owners.of(pod).noneMatch(owner -> owner.getKind().equals("DaemonSet"))) {
            return true;
        }
        Node node = cluster.stores()
                .nodes()
                .get(null, Objects.requireNonNullElse(pod.getSpec().getNodeName(), ""))
                .orElse(null);
        return node != null && NodeFit.selects(node, pod);
    }

    /** The name in the style of {@code OwnedPods}: pods of a Deployment have its name. */
    private String nameAfter(Pod pod) {
        OwnerReference owner = controller(pod).orElseThrow();
        if (ONE_AFTER_THE_OTHER.contains(owner.getKind())) {
            return pod.getMetadata().getName();
        }
        String name = owner.getName();
        var labels = Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.<String, String>of());
        String hash = "-" + labels.get(Templates.TEMPLATE_HASH);
        return pods.freeName(
                pod.getMetadata().getNamespace(),
                name.endsWith(hash) ? name.substring(0, name.length() - hash.length()) : name);
    }

    private static Optional<OwnerReference> controller(Pod pod) {
        return Owners.of(pod)
                .filter(each -> Boolean.TRUE.equals(each.getController()))
                .findFirst();
    }
}
