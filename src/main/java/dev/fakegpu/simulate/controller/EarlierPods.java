package dev.fakegpu.simulate.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Assigns the pods of a cluster that was copied without its workloads to the workloads that are applied to the copy. Pods with another
 * template are then replaced, as in an update. Not thread-safe.
 */
final class EarlierPods {

    private final ControlledCluster cluster;
    private final Templates templates;

    /** The UIDs of the pods of the copied cluster. */
    private final Set<String> copied;

    /** The workloads whose template differs from that of their earlier pods. */
    private final List<HasMetadata> updated = new ArrayList<>();

    EarlierPods(ControlledCluster cluster, Templates templates, Set<String> copied) {
        this.cluster = cluster;
        this.templates = templates;
        this.copied = copied;
    }

    List<HasMetadata> updated() {
        return List.copyOf(updated);
    }

    /** @param workload a workload that is processed for the first time */
    void adopt(HasMetadata workload) {
        Map<String, List<Pod>> byOwner = new LinkedHashMap<>();
        String namespace = workload.getMetadata().getNamespace();
        cluster.list(Pod.class).stream()
                .filter(pod -> copied.contains(pod.getMetadata().getUid())
                        && pod.getMetadata().getNamespace().equals(namespace))
                .forEach(pod -> Owners.of(pod)
                        .filter(owner -> isEarlier(owner, workload))
                        .findFirst()
                        .ifPresent(owner -> byOwner.computeIfAbsent(owner.getName(), ignored -> new ArrayList<>())
                                .add(pod)));
        byOwner.forEach((name, pods) -> adopt(workload, name, pods));
    }

    /** Whether the owner is the workload. The pods of a Deployment belong to its ReplicaSets, whose names end in a hash. */
    private static boolean isEarlier(OwnerReference owner, HasMetadata workload) {
        String name = workload.getMetadata().getName();
        if (workload instanceof Deployment && owner.getKind().equals("ReplicaSet")) {
            int hash = owner.getName().lastIndexOf('-');
            return hash > 0 && owner.getName().substring(0, hash).equals(name);
        }
        return owner.getKind().equals(workload.getKind()) && owner.getName().equals(name);
    }

    private void adopt(HasMetadata workload, String owner, List<Pod> pods) {
        if (workload instanceof Deployment deployment) {
            PodTemplateSpec template = template(deployment, deployment.getSpec().getTemplate(), pods);
            int number = templates.number(deployment, template);
            ReplicaSet set =
                    replicaSet(deployment, owner, Templates.labelled(template, Templates.TEMPLATE_HASH, number), (int)
                            pods.stream().filter(OwnedPods::isActive).count());
            pods.forEach(pod -> give(pod, set, Templates.TEMPLATE_HASH, number));
        } else if (workload instanceof StatefulSet set) {
            int number = templates.number(set, template(set, set.getSpec().getTemplate(), pods));
            pods.forEach(pod -> give(pod, set, Templates.REVISION_HASH, number));
        } else if (workload instanceof DaemonSet set) {
            int number = templates.number(set, template(set, set.getSpec().getTemplate(), pods));
            pods.forEach(pod -> give(pod, set, Templates.REVISION_HASH, number));
        } else {
            pods.forEach(pod -> give(pod, workload, Templates.REVISION_HASH, 1));
        }
    }

    /** The workload's own template if the pods were created from it; otherwise one from which they could have been created. */
    private PodTemplateSpec template(HasMetadata workload, PodTemplateSpec own, List<Pod> pods) {
        Pod pod = pods.get(0);
        if (TemplateMatch.isFrom(own, pod)) {
            return own;
        }
        if (!updated.contains(workload)) {
            updated.add(workload);
        }
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(pod.getMetadata().getLabels())
                .endMetadata()
                .withSpec(pod.getSpec().edit().withNodeName(null).build())
                .build();
    }

    private ReplicaSet replicaSet(Deployment deployment, String name, PodTemplateSpec template, int replicas) {
        return cluster.create(new ReplicaSetBuilder()
                .withNewMetadata()
                .withNamespace(deployment.getMetadata().getNamespace())
                .withName(name)
                .withOwnerReferences(Owners.reference(deployment))
                .endMetadata()
                .withNewSpec()
                .withReplicas(replicas)
                .withSelector(deployment.getSpec().getSelector())
                .withTemplate(template)
                .endSpec()
                .build());
    }

    private void give(Pod pod, HasMetadata owner, String label, int number) {
        Pod stored = Objects.requireNonNull(cluster.get(pod));
        cluster.update(
                stored,
                new PodBuilder(stored)
                        .editMetadata()
                        .withOwnerReferences(Owners.reference(owner))
                        .addToLabels(label, Integer.toString(number))
                        .endMetadata()
                        .build());
    }
}
