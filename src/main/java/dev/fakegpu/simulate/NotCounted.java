package dev.fakegpu.simulate;

import dev.fakegpu.cluster.fit.PlacementFields;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.kube.manifest.JobSet;
import dev.fakegpu.kube.manifest.LeaderWorkerSet;
import dev.fakegpu.operator.schedule.settings.SchedulerProfile;
import dev.fakegpu.simulate.memory.MemoryCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds fields of pods and annotations of workloads that decide where pods are placed, and that a simulation does not take into account. */
final class NotCounted {

    private static final int MAX_LISTED = 3;

    /** The annotations with which JobSets and LeaderWorkerSets ask for a topology domain of its own for each Job or group. */
    private static final Set<String> EXCLUSIVE_TOPOLOGIES = Set.of(
            "alpha.jobset.sigs.k8s.io/exclusive-topology",
            "leaderworkerset.sigs.k8s.io/exclusive-topology",
            "leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology");

    private final MemoryCluster cluster;

    /** The UIDs of the pods that were placed before the simulation. */
    private final Set<String> placedBefore;

    /** @param cluster the cluster before the simulation places pods */
    NotCounted(MemoryCluster cluster) {
        this.cluster = cluster;
        placedBefore = placed().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet());
    }

    private Stream<Pod> placed() {
        return cluster.list(Pod.class).stream().filter(PodState::isBound);
    }

    /** One sentence for each field that was ignored when pods were placed, and for each such annotation. */
    List<String> sentences() {
        Stream<Pod> placed =
                placed().filter(pod -> !placedBefore.contains(pod.getMetadata().getUid()));
        return Stream.concat(ofPods(placed), ofWorkloads()).toList();
    }

    private Stream<String> ofWorkloads() {
        Stream<String> ofJobSets = cluster.list(JobSet.class).stream()
                .flatMap(set -> topologies(
                        set,
                        Stream.concat(
                                Stream.of(set.getMetadata()),
                                set.getSpec().replicatedJobs().stream()
                                        .flatMap(job ->
                                                Stream.ofNullable(job.template().getMetadata())))));
        Stream<String> ofGroups = cluster.list(LeaderWorkerSet.class).stream()
                .flatMap(set -> topologies(set, Stream.of(set.getMetadata())));
        return Stream.concat(ofJobSets, ofGroups);
    }

    /** @param annotated the metadata of the workload and of its parts */
    private static Stream<String> topologies(HasMetadata workload, Stream<ObjectMeta> annotated) {
        return annotated
                .flatMap(metadata ->
                        Objects.requireNonNullElse(metadata.getAnnotations(), Map.<String, String>of())
                                .entrySet()
                                .stream())
                .filter(annotation -> EXCLUSIVE_TOPOLOGIES.contains(annotation.getKey()))
                .sorted(Map.Entry.comparingByKey())
                .map(annotation ->
                        "the annotation %s is not taken into account (of %s %s/%s): in a real cluster, its groups of pods share no %s"
                                .formatted(
                                        annotation.getKey(),
                                        workload.getKind(),
                                        workload.getMetadata().getNamespace(),
                                        workload.getMetadata().getName(),
                                        annotation.getValue()))
                .distinct();
    }

    private static Stream<String> ofPods(Stream<Pod> placed) {
        var byField = new TreeMap<String, TreeSet<String>>();
        placed.forEach(pod -> fields(pod)
                .forEach(field -> byField.computeIfAbsent(field, ignored -> new TreeSet<>())
                        .add(pod.getMetadata().getNamespace() + "/"
                                + pod.getMetadata().getName())));
        return byField.entrySet().stream()
                .map(entry ->
                        "%s is not taken into account (of %s): kube-scheduler may place these pods elsewhere, or not at all"
                                .formatted(entry.getKey(), listed(entry.getValue())));
    }

    private static List<String> fields(Pod pod) {
        return SchedulerProfile.COMPANION.isFor(pod)
                ? PlacementFields.of(pod)
                : PlacementFields.ignoredBySimulation(pod);
    }

    private static String listed(Collection<String> names) {
        var listed = new ArrayList<>(names.stream().limit(MAX_LISTED).toList());
        if (names.size() > MAX_LISTED) {
            listed.add((names.size() - MAX_LISTED) + " more");
        }
        return String.join(", ", listed);
    }
}
