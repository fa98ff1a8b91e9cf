package dev.fakegpu.simulate.controller;

import dev.fakegpu.cluster.fit.NodeAdmission;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.kube.manifest.LeaderWorkerSet;
import dev.fakegpu.kube.manifest.LeaderWorkerSetSpec.LeaderWorkerTemplate;
import dev.fakegpu.kube.manifest.LeaderWorkerSetSpec.RollingUpdate;
import dev.fakegpu.kube.manifest.LeaderWorkerSetSpec.RolloutStrategy;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Creates a StatefulSet of leaders, and for each leader one of workers, which the leader owns ({@code pkg/controllers} of
 * {@code kubernetes-sigs/lws}). A group is recreated when one of its pods is deleted or ends, unless its {@code restartPolicy} is
 * {@code None}.
 */
final class LeaderWorkerSetController {

    private static final String LABEL = "leaderworkerset.sigs.k8s.io/";
    private static final String NAME = LABEL + "name";
    private static final String GROUP = LABEL + "group-index";
    private static final String WORKER = LABEL + "worker-index";
    private static final String LEADER_UID = LABEL + "group-key";
    private static final String REVISION = LABEL + "template-revision-hash";

    private final ControlledCluster cluster;

    /** By UID, all templates that the set has had, numbered from 1. */
    private final Map<String, List<LeaderWorkerTemplate>> templates = new HashMap<>();

    LeaderWorkerSetController(ControlledCluster cluster) {
        this.cluster = cluster;
    }

    /** The objects to process after a pod of a group has changed. */
    Stream<HasMetadata> affected(Pod pod) {
        return label(pod, NAME).stream()
                .flatMap(name -> Stream.<HasMetadata>of(
                        Owners.named(new LeaderWorkerSet(), namespace(pod), name),
                        Owners.named(new StatefulSet(), namespace(pod), leader(pod))))
                .flatMap(object -> Stream.ofNullable(cluster.get(object)));
    }

    /** Deletes the leader of a worker that is gone, and the workers of a leader that is gone. */
    void changed(Pod pod) {
        boolean hasFailed = PodState.hasEnded(pod) && !NodeAdmission.isRejected(pod);
        boolean isGone = OwnedPods.isDeleted(pod) || hasFailed || cluster.get(pod) == null;
        Optional<String> uid = label(pod, LEADER_UID);
        if (!isGone || uid.isEmpty()) {
            return;
        }
        Pod leader = cluster.get(Owners.named(new Pod(), namespace(pod), leader(pod)));
        if (leader != null && leader.getMetadata().getUid().equals(uid.get()) && isRecreated(pod)) {
            cluster.delete(leader);
        }
    }

    private boolean isRecreated(Pod pod) {
        LeaderWorkerSet set = cluster.get(Owners.named(
                new LeaderWorkerSet(), namespace(pod), label(pod, NAME).orElse("")));
        String policy =
                set == null ? null : set.getSpec().leaderWorkerTemplate().restartPolicy();
        return set != null && !"None".equals(policy) && !"Default".equals(policy);
    }

    void sync(LeaderWorkerSet set) {
        LeaderWorkerTemplate template = set.getSpec().leaderWorkerTemplate();
        List<LeaderWorkerTemplate> known =
                templates.computeIfAbsent(set.getMetadata().getUid(), ignored -> new ArrayList<>());
        if (!known.contains(template)) {
            known.add(template);
        }
        int newest = known.indexOf(template) + 1;
        StatefulSet stored = cluster.get(Owners.named(
                new StatefulSet(), namespace(set), set.getMetadata().getName()));
        List<Pod> leaders = stored == null ? List.of() : cluster.dependents(stored, Pod.class);
        StatefulSet wanted = leaders(set, newest, partition(set, leaders, newest));
        if (stored == null) {
            cluster.create(wanted);
        } else if (!stored.getSpec().equals(wanted.getSpec())) {
            cluster.update(
                    stored,
                    new StatefulSetBuilder(stored).withSpec(wanted.getSpec()).build());
        }
        leaders.forEach(leader -> workers(set, leader, known));
    }

    private StatefulSet leaders(LeaderWorkerSet set, int number, int partition) {
        var labels = Map.of(NAME, set.getMetadata().getName(), WORKER, "0", REVISION, Integer.toString(number));
        return statefulSet(
                        set,
                        set.getMetadata().getName(),
                        labelled(set.getSpec().leaderWorkerTemplate().leader(), labels),
                        set.getSpec().groups())
                .editSpec()
                .withNewUpdateStrategy()
                .withType("RollingUpdate")
                .withNewRollingUpdate()
                .withPartition(partition)
                .endRollingUpdate()
                .endUpdateStrategy()
                .endSpec()
                .build();
    }

    /** The partition. Groups are updated from the highest index down, as many as may be unavailable ({@code rollingUpdateParameters}). */
    private int partition(LeaderWorkerSet set, List<Pod> leaders, int newest) {
        Optional<RollingUpdate> given =
                Optional.ofNullable(set.getSpec().rolloutStrategy()).map(RolloutStrategy::rollingUpdateConfiguration);
        int groups = set.getSpec().groups();
        int left = Math.max(
                1,
                ReplicaShare.roundedDown(
                        given.map(RollingUpdate::maxUnavailable).orElse(null), "1", groups));
        int partition = groups;
        while (partition > 0) {
            String name = set.getMetadata().getName() + "-" + (partition - 1);
            left -= leaders.stream().anyMatch(leader -> isUpdated(leader, name, newest)) ? 0 : 1;
            if (left < 0) {
                break;
            }
            partition--;
        }
        return Math.max(partition, given.map(RollingUpdate::partition).orElse(0));
    }

    /** Whether the whole group runs with the newest template. */
    private boolean isUpdated(Pod leader, String name, int newest) {
        StatefulSet workers = cluster.get(Owners.named(new StatefulSet(), namespace(leader), name));
        return leader.getMetadata().getName().equals(name)
                && label(leader, REVISION).equals(Optional.of(Integer.toString(newest)))
                && isRunning(leader)
                && workers != null
                && cluster.dependents(workers, Pod.class).stream()
                                .filter(LeaderWorkerSetController::isRunning)
                                .count()
                        == workers.getSpec().getReplicas();
    }

    private static boolean isRunning(Pod pod) {
        return PodState.isReady(pod) && !OwnedPods.isDeleted(pod);
    }

    /** Updates the StatefulSet of a leader's workers, to the template that belongs to that of the leader. */
    private void workers(LeaderWorkerSet set, Pod leader, List<LeaderWorkerTemplate> known) {
        boolean isTime = !"LeaderReady".equals(set.getSpec().startupPolicy()) || PodState.isReady(leader);
        StatefulSet stored = cluster.get(Owners.named(
                new StatefulSet(), namespace(leader), leader.getMetadata().getName()));
        if (stored != null || !isTime || OwnedPods.isDeleted(leader)) {
            return;
        }
        LeaderWorkerTemplate template = label(leader, REVISION)
                .map(number -> known.get(Integer.parseInt(number) - 1))
                .orElseGet(() -> set.getSpec().leaderWorkerTemplate());
        String name = leader.getMetadata().getName();
        var labels = Map.of(
                NAME, set.getMetadata().getName(),
                GROUP, name.substring(name.lastIndexOf('-') + 1),
                LEADER_UID, leader.getMetadata().getUid());
        cluster.create(statefulSet(leader, name, labelled(template.workerTemplate(), labels), template.workers())
                .editSpec()
                .withNewOrdinals(1)
                .endSpec()
                .build());
    }

    private static StatefulSetBuilder statefulSet(
            HasMetadata owner, String name, PodTemplateSpec template, int replicas) {
        return new StatefulSetBuilder()
                .withNewMetadata()
                .withNamespace(namespace(owner))
                .withName(name)
                .withOwnerReferences(Owners.reference(owner))
                .endMetadata()
                .withNewSpec()
                .withReplicas(replicas)
                .withPodManagementPolicy("Parallel")
                .withTemplate(template)
                .endSpec();
    }

    private static PodTemplateSpec labelled(PodTemplateSpec template, Map<String, String> labels) {
        return template.edit()
                .editOrNewMetadata()
                .addToLabels(labels)
                .endMetadata()
                .build();
    }

    /** The name of the pod's leader: the pod's own name without the index of the worker. */
    private static String leader(Pod pod) {
        String name = pod.getMetadata().getName();
        return label(pod, LEADER_UID).isPresent() ? name.substring(0, Math.max(0, name.lastIndexOf('-'))) : name;
    }

    private static String namespace(HasMetadata object) {
        return object.getMetadata().getNamespace();
    }

    private static Optional<String> label(Pod pod, String label) {
        return Optional.ofNullable(Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.<String, String>of())
                .get(label));
    }
}
