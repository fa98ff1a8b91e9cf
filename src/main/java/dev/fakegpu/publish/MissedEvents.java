package dev.fakegpu.publish;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.util.CoalescingWorker;
import dev.fakegpu.watch.ObjectStore;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks again for FakeGpus that nobody looked at. The operator framework drops the event of an object that is created while it still
 * finishes the deletion of the last one with that name, and nothing else would ever reconcile it.
 */
final class MissedEvents {

    /** Far more than a reconciliation takes, so that it is rare to ask for nothing. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final ObjectStore<FakeGpu> fakeGpus;
    private final Consumer<FakeGpu> reconcile;
    private final CoalescingWorker worker = new CoalescingWorker("unobserved", this::askAgain);

    MissedEvents(ObjectStore<FakeGpu> fakeGpus, Consumer<FakeGpu> reconcile) {
        this.fakeGpus = fakeGpus;
        this.reconcile = reconcile;
    }

    void register() {
        fakeGpus.addListener((before, after) -> {
            if (isUnobserved(after) && !isUnobserved(before)) {
                worker.requestIn(PATIENCE);
            }
        });
    }

    private void askAgain() {
        var unobserved =
                fakeGpus.list().stream().filter(MissedEvents::isUnobserved).toList();
        if (!unobserved.isEmpty()) {
            worker.requestIn(PATIENCE);
        }
        unobserved.forEach(reconcile);
    }

    private static boolean isUnobserved(@Nullable FakeGpu fakeGpu) {
        return fakeGpu != null
                && (fakeGpu.getStatus() == null
                        || !fakeGpu.getMetadata()
                                .getGeneration()
                                .equals(fakeGpu.getStatus().observedGeneration()));
    }
}
