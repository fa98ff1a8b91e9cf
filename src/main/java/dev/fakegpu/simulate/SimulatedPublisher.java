package dev.fakegpu.simulate;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.operator.publish.FakeGpuReconciler;
import dev.fakegpu.simulate.memory.ApiObjects;
import dev.fakegpu.simulate.memory.MemoryCluster;
import dev.fakegpu.simulate.memory.VirtualTime;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Calls the reconciler of FakeGpus, as the Java Operator SDK does in a real cluster. Not thread-safe. */
final class SimulatedPublisher {

    private final MemoryCluster cluster;
    private final VirtualTime time;
    private final FakeGpuReconciler reconciler;
    private final Set<String> toReconcile = new LinkedHashSet<>();
    private final Deque<FakeGpu> toRemove = new ArrayDeque<>();
    private final Map<String, Instant> reconcileAt = new HashMap<>();

    SimulatedPublisher(MemoryCluster cluster, VirtualTime time, FakeGpuReconciler reconciler) {
        this.cluster = cluster;
        this.time = time;
        this.reconciler = reconciler;
    }

    void start() {
        reconciler.onChanges(toReconcile::add);
        cluster.stores().fakeGpus().addListener((before, after) -> changed(before, after));
    }

    private void changed(@Nullable FakeGpu before, @Nullable FakeGpu after) {
        if (after == null) {
            return;
        }
        if (after.getMetadata().getDeletionTimestamp() != null) {
            toRemove.add(after);
        } else if (before == null
                || !before.getMetadata()
                        .getGeneration()
                        .equals(after.getMetadata().getGeneration())) {
            toReconcile.add(after.getMetadata().getName());
        }
    }

    /** When there is something to do even if nothing changes. */
    Collection<Instant> due() {
        return List.copyOf(reconcileAt.values());
    }

    /** @return whether there was anything to do */
    boolean run() {
        return removeDeleted() || reconcile();
    }

    private boolean removeDeleted() {
        FakeGpu deleted = toRemove.poll();
        if (deleted != null) {
            reconciler.remove(deleted);
            cluster.deleteImmediately(deleted);
        }
        return deleted != null;
    }

    private boolean reconcile() {
        Instant now = time.instant();
        reconcileAt.entrySet().removeIf(entry -> !entry.getValue().isAfter(now) && toReconcile.add(entry.getKey()));
        if (toReconcile.isEmpty()) {
            return false;
        }
        var names = Set.copyOf(toReconcile);
        toReconcile.clear();
        names.stream()
                .sorted()
                .flatMap(name -> cluster.stores().fakeGpus().get(null, name).stream())
                .forEach(this::reconcile);
        return true;
    }

    private void reconcile(FakeGpu fakeGpu) {
        String name = fakeGpu.getMetadata().getName();
        var result = reconciler.reconcile(fakeGpu);
        result.getScheduleDelay().ifPresent(delay -> again(name, delay));
        if (result.isPatchStatus()) {
            FakeGpu stored = cluster.stores().fakeGpus().get(null, name).orElseThrow();
            FakeGpu changed = ApiObjects.copy(stored);
            changed.setStatus(result.getResource().orElseThrow().getStatus());
            cluster.updateStatus(stored, changed);
        }
    }

    private void again(String fakeGpu, long delayMillis) {
        reconcileAt.put(fakeGpu, time.instant().plusMillis(Math.max(1, delayMillis)));
    }
}
