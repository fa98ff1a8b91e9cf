package dev.fakegpu.simulate.controller;

import dev.fakegpu.kube.manifest.JobSet;
import dev.fakegpu.kube.manifest.LeaderWorkerSet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.ReplicationController;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Owner references of objects to the workloads that created them. */
final class Owners {

    private static final Map<String, Supplier<HasMetadata>> WORKLOADS = Map.of(
            "Deployment", Deployment::new,
            "ReplicaSet", ReplicaSet::new,
            "ReplicationController", ReplicationController::new,
            "StatefulSet", StatefulSet::new,
            "DaemonSet", DaemonSet::new,
            "Job", Job::new,
            "CronJob", CronJob::new,
            "JobSet", JobSet::new,
            "LeaderWorkerSet", LeaderWorkerSet::new);

    private Owners() {}

    static boolean isWorkload(HasMetadata object) {
        return isWorkload(object.getKind());
    }

    static boolean isWorkload(String kind) {
        return WORKLOADS.containsKey(kind);
    }

    static Stream<OwnerReference> of(HasMetadata object) {
        return Stream.ofNullable(object.getMetadata().getOwnerReferences()).flatMap(List::stream);
    }

    /** The stored workload that the object names as its owner; empty if it has none, or if the name now belongs to another workload. */
    static Optional<HasMetadata> workload(ControlledCluster cluster, HasMetadata object) {
        String namespace = object.getMetadata().getNamespace();
        return of(object)
                .flatMap(owner -> Stream.ofNullable(WORKLOADS.get(owner.getKind()))
                        .map(empty -> named(empty.get(), namespace, owner.getName()))
                        .flatMap(named -> Stream.ofNullable(cluster.get(named)))
                        .filter(stored ->
                                owner.getUid().equals(stored.getMetadata().getUid())))
                .findFirst();
    }

    static OwnerReference reference(HasMetadata owner) {
        return new OwnerReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .withController(true)
                .build();
    }

    /** An object with only a name, to look up the stored one. */
    static <T extends HasMetadata> T named(T object, String namespace, String name) {
        object.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        return object;
    }
}
