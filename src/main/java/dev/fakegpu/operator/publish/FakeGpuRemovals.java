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
 * Removes what belongs to deleted FakeGpus. Kubernetes' garbage collector also removes it by its owner references, even without an
 * operator: FakeGpus have no finalizer, so nothing delays their deletion. The operator additionally ends the pods of simulated nodes
 * immediately, and reports which claims have lost their devices.
 */
final class FakeGpuRemovals {

    private final ObjectStore<FakeGpu> fakeGpus;
    private final Consumer<FakeGpu> remove;
    private final Consumer<FakeGpu> release;
    private final CoalescingWorker worker = new CoalescingWorker("fakegpu-removals", this::run);

    /** By UID. */
    private final Map<String, FakeGpu> deleted = new ConcurrentHashMap<>();

    /**
     * @param remove removes what belongs to a FakeGpu; may be called more than once
     * @param release removes the finalizer of earlier versions from a FakeGpu that has it
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

    /** Must be called after each reconciliation, which may have published objects again if the FakeGpu was deleted in the meantime. */
    void reconciled(FakeGpu fakeGpu) {
        if (!exists(fakeGpu)) {
            deleted.put(fakeGpu.getMetadata().getUid(), fakeGpu);
            worker.request();
        }
    }

    /** Also returns true if listeners treat it as deleted because it has unreadable fields. */
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
