package dev.fakegpu.operator.schedule;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.operator.schedule.bind.Writers;
import dev.fakegpu.operator.schedule.queue.ExponentialBackoff;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Repeats explanations for pending pods and claims while pods with claims are slow to terminate. Otherwise, a user who deletes the pod that
 * an explanation names would see the same explanation minutes later, and delete the pod again. Most pods terminate sooner, and their
 * release triggers a new attempt anyway.
 */
final class EndingHolders {

    private static final ExponentialBackoff DELAY =
            new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofMinutes(5));

    private final ObjectStore<Pod> pods;
    private final Writers writers;
    private final Executor schedulingThread;
    private final Runnable explainAgain;

    /** Whether a check of the pods is scheduled. */
    private final AtomicBoolean isDue = new AtomicBoolean();

    /** @param explainAgain run by the scheduling thread */
    EndingHolders(ObjectStore<Pod> pods, Writers writers, Executor schedulingThread, Runnable explainAgain) {
        this.pods = pods;
        this.writers = writers;
        this.schedulingThread = schedulingThread;
        this.explainAgain = explainAgain;
    }

    void changed(@Nullable Pod before, @Nullable Pod after) {
        if (isEnding(after) && !isEnding(before)) {
            lookLater(1);
        }
    }

    private void lookLater(int times) {
        if (isDue.compareAndSet(false, true)) {
            writers.reportIn(DELAY.after(times), () -> schedulingThread.execute(() -> look(times)));
        }
    }

    private void look(int times) {
        isDue.set(false);
        if (pods.list().stream().anyMatch(EndingHolders::isEnding)) {
            explainAgain.run();
            lookLater(times + 1);
        }
    }

    private static boolean isEnding(@Nullable Pod pod) {
        return pod != null
                && pod.getMetadata().getDeletionTimestamp() != null
                && PodState.isBound(pod)
                && !PodState.hasEnded(pod)
                && (!pod.getSpec().getResourceClaims().isEmpty()
                        || pod.getStatus() != null && pod.getStatus().getExtendedResourceClaimStatus() != null);
    }
}
