package dev.fakegpu.simulate;

import dev.fakegpu.cluster.fit.PlacementFields;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.operator.schedule.settings.SchedulerProfile;
import dev.fakegpu.simulate.memory.MemoryCluster;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds fields of pods that kube-scheduler takes into account and a simulation does not. */
final class NotCounted {

    private static final int MAX_LISTED = 3;

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

    /** One sentence for each field that was ignored when pods were placed. */
    List<String> sentences() {
        return ofPods(placed().filter(
                                pod -> !placedBefore.contains(pod.getMetadata().getUid())))
                .toList();
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
