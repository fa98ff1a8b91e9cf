package dev.fakegpu.simulate.controller;

import dev.fakegpu.cluster.fit.PodState;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.RollingUpdateStatefulSetStrategy;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetSpec;
import io.fabric8.kubernetes.api.model.apps.StatefulSetUpdateStrategy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Maintains pods with ordinals ({@code updateStatefulSet} in {@code pkg/controller/statefulset/stateful_set_control.go}). Unless
 * {@code podManagementPolicy} is {@code Parallel}, a pod is created once those before it run, and deleted once all run.
 */
final class StatefulSetController {

    private final ControlledCluster cluster;
    private final OwnedPods pods;
    private final Templates templates;
    private final Creations creations;

    /** By UID, the number of the last template that all pods had. */
    private final Map<String, Integer> current = new HashMap<>();

    StatefulSetController(ControlledCluster cluster, OwnedPods pods, Templates templates, Creations creations) {
        this.cluster = cluster;
        this.pods = pods;
        this.templates = templates;
        this.creations = creations;
    }

    void sync(StatefulSet set) {
        int newest = templates.number(set, set.getSpec().getTemplate());
        current.putIfAbsent(set.getMetadata().getUid(), newest);
        var spec = set.getSpec();
        boolean isOrdered = !"Parallel".equals(spec.getPodManagementPolicy());
        int first = start(spec);
        int end = first + Objects.requireNonNullElse(spec.getReplicas(), 1);
        for (int ordinal = first; ordinal < end; ordinal++) {
            if (!isSettled(set, ordinal, template(set, ordinal, newest)) && isOrdered) {
                return;
            }
        }
        if (!deleteSurplus(condemned(set, first, end), isOrdered)) {
            update(set, first, end, newest);
        }
    }

    /** Pods below the partition keep the last template that all pods had ({@code newVersionedStatefulSetPod}). */
    private int template(StatefulSet set, int ordinal, int newest) {
        return ordinal < start(set.getSpec()) + partition(set.getSpec())
                ? current.getOrDefault(set.getMetadata().getUid(), newest)
                : newest;
    }

    private static int partition(StatefulSetSpec spec) {
        return rolling(spec).map(RollingUpdateStatefulSetStrategy::getPartition).orElse(0);
    }

    private static Optional<RollingUpdateStatefulSetStrategy> rolling(StatefulSetSpec spec) {
        return Optional.ofNullable(spec.getUpdateStrategy()).map(StatefulSetUpdateStrategy::getRollingUpdate);
    }

    /** Updates pods from the highest ordinal down, as many as may be unavailable ({@code updateStatefulSetAfterInvariantEstablished}). */
    private void update(StatefulSet set, int first, int end, int newest) {
        List<Pod> outdated = new ArrayList<>();
        int left = maxUnavailable(set.getSpec(), end - first);
        for (int ordinal = end - 1; ordinal >= first; ordinal--) {
            Pod pod = cluster.get(Owners.named(new Pod(), set.getMetadata().getNamespace(), name(set, ordinal)));
            left -= pod == null || !isRunning(pod) ? 1 : 0;
            if (pod != null && !Templates.isOf(pod, Templates.REVISION_HASH, newest)) {
                outdated.add(pod);
            }
        }
        if (outdated.isEmpty()) {
            current.put(set.getMetadata().getUid(), newest);
        }
        var strategy = set.getSpec().getUpdateStrategy();
        if (strategy == null || !"OnDelete".equals(strategy.getType())) {
            int lowest = first + partition(set.getSpec());
            outdated.stream()
                    .filter(pod -> ordinal(set, pod) >= lowest && !OwnedPods.isDeleted(pod))
                    .limit(Math.max(0, left))
                    .forEach(cluster::delete);
        }
    }

    private static int maxUnavailable(StatefulSetSpec spec, int replicas) {
        IntOrString given = rolling(spec)
                .map(RollingUpdateStatefulSetStrategy::getMaxUnavailable)
                .orElse(null);
        return Math.max(1, ReplicaShare.roundedDown(given, "1", replicas));
    }

    private static int start(StatefulSetSpec spec) {
        return spec.getOrdinals() == null || spec.getOrdinals().getStart() == null
                ? 0
                : spec.getOrdinals().getStart();
    }

    /** Creates the pod, or deletes it so that it is recreated. */
    private boolean isSettled(StatefulSet set, int ordinal, int number) {
        var template = Templates.labelled(templates.get(set, number), Templates.REVISION_HASH, number);
        Pod pod = OwnedPods.pod(set, template, name(set, ordinal));
        Pod stored = cluster.get(pod);
        if (stored == null) {
            String text = "create Pod %s in StatefulSet %s failed error: "
                    .formatted(pod.getMetadata().getName(), set.getMetadata().getName());
            creations.create(set, pod, "FailedCreate", text + "%s");
            return false;
        }
        if (isOf(set, stored) && PodState.hasEnded(stored) && !pods.areRejected(set, template)) {
            cluster.delete(stored);
        }
        return isRunning(stored);
    }

    /**
     * Deletes surplus pods from the highest ordinal down. A pod that does not run blocks those below it.
     *
     * @return whether there is a surplus
     */
    private boolean deleteSurplus(List<Pod> condemned, boolean isOrdered) {
        for (Pod pod : condemned) {
            if (isOrdered && (OwnedPods.isDeleted(pod) || (!isRunning(pod) && !isFirstUnavailable(pod, condemned)))) {
                return true;
            }
            cluster.delete(pod);
            if (isOrdered) {
                return true;
            }
        }
        return !condemned.isEmpty();
    }

    /** Called only when all replicas run. */
    private static boolean isFirstUnavailable(Pod pod, List<Pod> condemned) {
        Pod first = null;
        for (Pod each : condemned) {
            if (!isRunning(each)) {
                first = each;
            }
        }
        return pod == first;
    }

    private List<Pod> condemned(StatefulSet set, int first, int end) {
        var condemned = new ArrayList<>(cluster.dependents(set, Pod.class));
        condemned.removeIf(pod -> ordinal(set, pod) < 0 || (ordinal(set, pod) >= first && ordinal(set, pod) < end));
        condemned.sort(Comparator.comparing((Pod pod) -> ordinal(set, pod)).reversed());
        return condemned;
    }

    private static boolean isRunning(Pod pod) {
        return PodState.isReady(pod) && !OwnedPods.isDeleted(pod);
    }

    private static boolean isOf(StatefulSet set, Pod pod) {
        return Owners.of(pod)
                .anyMatch(owner -> owner.getUid().equals(set.getMetadata().getUid()));
    }

    private static String name(StatefulSet set, int ordinal) {
        return set.getMetadata().getName() + "-" + ordinal;
    }

    /** The ordinal; -1 for a pod with another name. */
    private static int ordinal(StatefulSet set, Pod pod) {
        String prefix = set.getMetadata().getName() + "-";
        String name = pod.getMetadata().getName();
        String number = name.startsWith(prefix) ? name.substring(prefix.length()) : "";
        return number.matches("[0-9]{1,9}") ? Integer.parseInt(number) : -1;
    }
}
