package dev.fakegpu.operator.publish;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.util.CoalescingWorker;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds FakeGpus whose events Java Operator SDK missed, by {@code status.observedGeneration}, and reconciles them. The package description
 * explains when that happens.
 */
final class MissedEvents {

    /** Much longer than a reconciliation takes, so that a reconciliation is rarely requested twice. */
    private static final Duration GRACE_PERIOD = Duration.ofSeconds(5);

    private final ObjectStore<FakeGpu> fakeGpus;
    private final Consumer<FakeGpu> reconcile;
    private final CoalescingWorker worker = new CoalescingWorker("missed-events", this::reconcileUnobserved);

    MissedEvents(ObjectStore<FakeGpu> fakeGpus, Consumer<FakeGpu> reconcile) {
        this.fakeGpus = fakeGpus;
        this.reconcile = reconcile;
    }

    void register() {
        fakeGpus.addListener((before, after) -> {
            if (isUnobserved(after) && !isUnobserved(before)) {
                worker.requestIn(GRACE_PERIOD);
            }
        });
    }

    private void reconcileUnobserved() {
        var unobserved =
                fakeGpus.list().stream().filter(MissedEvents::isUnobserved).toList();
        if (!unobserved.isEmpty()) {
            worker.requestIn(GRACE_PERIOD);
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
