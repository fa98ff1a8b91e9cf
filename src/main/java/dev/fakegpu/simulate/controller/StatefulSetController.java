package dev.fakegpu.simulate.controller;

import dev.fakegpu.cluster.fit.PodState;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Pods with ordinals ({@code updateStatefulSet} in {@code pkg/controller/statefulset/stateful_set_control.go}): unless its {@code
 * podManagementPolicy} is {@code Parallel}, a pod is created once those before it run, and deleted once all run.
 */
final class StatefulSetController {

    private final ControlledCluster cluster;

    StatefulSetController(ControlledCluster cluster) {
        this.cluster = cluster;
    }

    void sync(StatefulSet set) {
        var spec = set.getSpec();
        boolean isOrdered = !"Parallel".equals(spec.getPodManagementPolicy());
        int first = start(spec);
        int end = first + Objects.requireNonNullElse(spec.getReplicas(), 1);
        for (int ordinal = first; ordinal < end; ordinal++) {
            if (!isSettled(set, ordinal) && isOrdered) {
                return;
            }
        }
        deleteSurplus(condemned(set, first, end), isOrdered);
    }

    private static int start(StatefulSetSpec spec) {
        return spec.getOrdinals() == null || spec.getOrdinals().getStart() == null
                ? 0
                : spec.getOrdinals().getStart();
    }

    /** Creates the pod, or deletes it so that it is created again. */
    private boolean isSettled(StatefulSet set, int ordinal) {
        Pod pod = OwnedPods.pod(set, set.getSpec().getTemplate(), name(set, ordinal));
        Pod stored = cluster.get(pod);
        if (stored == null) {
            cluster.create(pod);
            return false;
        }
        if (isOf(set, stored) && PodState.hasEnded(stored)) {
            cluster.delete(stored);
        }
        return isRunning(stored);
    }

    /** From the highest ordinal; a pod that does not run holds up those below it. */
    private void deleteSurplus(List<Pod> condemned, boolean isOrdered) {
        for (Pod pod : condemned) {
            boolean isLast = pod == condemned.get(condemned.size() - 1);
            if (isOrdered && (OwnedPods.isDeleted(pod) || (!isRunning(pod) && !isFirstUnavailable(pod, condemned)))) {
                return;
            }
            cluster.delete(pod);
            if (isOrdered && !isLast) {
                return;
            }
        }
    }

    /** All replicas run when this is asked. */
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
        return PodState.isRunning(pod) && !OwnedPods.isDeleted(pod);
    }

    private static boolean isOf(StatefulSet set, Pod pod) {
        return Owners.of(pod)
                .anyMatch(owner -> owner.getUid().equals(set.getMetadata().getUid()));
    }

    private static String name(StatefulSet set, int ordinal) {
        return set.getMetadata().getName() + "-" + ordinal;
    }

    /** -1 for a pod with another name. */
    private static int ordinal(StatefulSet set, Pod pod) {
        String prefix = set.getMetadata().getName() + "-";
        String name = pod.getMetadata().getName();
        String number = name.startsWith(prefix) ? name.substring(prefix.length()) : "";
        return number.matches("[0-9]{1,9}") ? Integer.parseInt(number) : -1;
    }
}
