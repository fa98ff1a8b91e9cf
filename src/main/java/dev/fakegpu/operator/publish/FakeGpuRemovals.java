package dev.fakegpu.operator.publish;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.util.CoalescingWorker;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Has what belongs to deleted FakeGpus removed. Kubernetes' garbage collector removes it as well, by its owner references, and does so
 * without an operator, too: FakeGpus have no finalizer, so nothing holds up their deletion. The operator also ends the pods of simulated
 * nodes at once, and reports which claims have lost their devices.
 */
final class FakeGpuRemovals {

    private final ObjectStore<FakeGpu> fakeGpus;
    private final Consumer<FakeGpu> remove;
    private final Consumer<FakeGpu> release;
    private final CoalescingWorker worker = new CoalescingWorker("fakegpu-removals", this::run);

    /** By UID. */
    private final Map<String, FakeGpu> deleted = new ConcurrentHashMap<>();

    /**
     * @param remove removes what belongs to a FakeGpu; may be called again
     * @param release takes the finalizer of earlier versions away from a FakeGpu, if it has it
     */
    FakeGpuRemovals(ObjectStore<FakeGpu> fakeGpus, Consumer<FakeGpu> remove, Consumer<FakeGpu> release) {
        this.fakeGpus = fakeGpus;
        this.remove = remove;
        this.release = release;
    }

    void register() {
        fakeGpus.addListener(this::changed);
        worker.request();
    }

    private void changed(@Nullable FakeGpu before, @Nullable FakeGpu after) {
        if (before != null) {
            reconciled(before);
        }
        if (after != null
                && (isBeingDeleted(after)
                        || !after.getMetadata().getFinalizers().isEmpty())) {
            worker.request();
        }
    }

    /** To be called after each reconciliation: it may have published what was removed when the FakeGpu was deleted meanwhile. */
    void reconciled(FakeGpu fakeGpu) {
        if (!exists(fakeGpu)) {
            deleted.put(fakeGpu.getMetadata().getUid(), fakeGpu);
            worker.request();
        }
    }

    /** Also true if listeners take it for deleted because it has unreadable fields. */
    private boolean exists(FakeGpu fakeGpu) {
        return Stream.concat(fakeGpus.get(null, fakeGpu.getMetadata().getName()).stream(), fakeGpus.leftOut().stream())
                .anyMatch(known -> known.getMetadata()
                        .getUid()
                        .equals(fakeGpu.getMetadata().getUid()));
    }

    private void run() {
        var existing = Stream.concat(fakeGpus.list().stream(), fakeGpus.leftOut().stream());
        for (FakeGpu fakeGpu : existing.toList()) {
            worker.attempt(fakeGpu, () -> {
                if (isBeingDeleted(fakeGpu)) {
                    remove.accept(fakeGpu);
                }
                release.accept(fakeGpu);
            });
        }
        List.copyOf(deleted.values()).forEach(fakeGpu -> worker.attempt(fakeGpu, () -> removeDeleted(fakeGpu)));
    }

    private void removeDeleted(FakeGpu fakeGpu) {
        String uid = fakeGpu.getMetadata().getUid();
        deleted.remove(uid);
        try {
            remove.accept(fakeGpu);
        } catch (RuntimeException e) {
            deleted.putIfAbsent(uid, fakeGpu);
            throw e;
        }
    }

    private static boolean isBeingDeleted(FakeGpu fakeGpu) {
        return fakeGpu.getMetadata().getDeletionTimestamp() != null;
    }
}
