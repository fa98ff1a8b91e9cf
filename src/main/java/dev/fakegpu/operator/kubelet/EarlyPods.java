package dev.fakegpu.operator.kubelet;

import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Pods with claims that are Running although the simulated kubelet may not have prepared their claims yet, because KWOK's own stages do not
 * wait for that. Each pod that starts running is in this set until it has been checked. So is each running pod after a start of the
 * operator, or after claims of its node start to be prepared here.
 */
final class EarlyPods {

    private final ObjectStore<Pod> pods;
    private final ObjectStore.Index<PodStage, Pod> byStage;

    /** By UID. */
    private final Map<String, Key> unchecked = new ConcurrentHashMap<>();

    private final AtomicBoolean all = new AtomicBoolean(true);

    private record Key(String namespace, String name) {}

    EarlyPods(ObjectStore<Pod> pods, ObjectStore.Index<PodStage, Pod> byStage) {
        this.pods = pods;
        this.byStage = byStage;
    }

    void podChanged(@Nullable Pod before, @Nullable Pod after) {
        if (after != null && isRunning(after) && (before == null || !isRunning(before))) {
            add(after);
        }
    }

    /** Marks all running pods to be checked again. */
    void recheck() {
        all.set(true);
    }

    /** The pods to check that are still running. */
    List<Pod> list() {
        if (all.getAndSet(false)) {
            byStage.get(PodStage.RUNNING).forEach(this::add);
        }
        unchecked.entrySet().removeIf(entry -> stored(entry).isEmpty());
        return unchecked.entrySet().stream()
                .flatMap(entry -> stored(entry).stream())
                .toList();
    }

    /** Records that the pod needs no further check. */
    void checked(Pod pod) {
        unchecked.remove(pod.getMetadata().getUid());
    }

    private void add(Pod pod) {
        if (!PodClaims.names(pod).isEmpty()) {
            unchecked.put(
                    pod.getMetadata().getUid(),
                    new Key(pod.getMetadata().getNamespace(), pod.getMetadata().getName()));
        }
    }

    private Optional<Pod> stored(Map.Entry<String, Key> entry) {
        return pods.get(entry.getValue().namespace(), entry.getValue().name())
                .filter(pod -> entry.getKey().equals(pod.getMetadata().getUid()) && isRunning(pod));
    }

    private static boolean isRunning(Pod pod) {
        return PodStage.of(pod) == PodStage.RUNNING;
    }
}
