package dev.fakegpu.runtime;

import dev.fakegpu.util.FailureLog;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Repeats an action until the API server responds, no matter how long that takes. If the process ended instead, the kubelet would restart
 * it with a back-off of up to five minutes, which would continue after the API server is back.
 */
final class ApiServerWait {

    private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(4);

    private final FailureLog log;
    private final Consumer<Duration> pause;

    ApiServerWait(FailureLog log) {
        this(log, delay -> LockSupport.parkNanos(delay.toNanos()));
    }

    /** @param pause waits for the given time */
    ApiServerWait(FailureLog log, Consumer<Duration> pause) {
        this.log = log;
        this.pause = pause;
    }

    /** Returns when the action has succeeded or the thread is interrupted. */
    void until(String purpose, Runnable action) {
        var delay = FIRST_DELAY;
        while (!Thread.currentThread().isInterrupted()) {
            try {
                action.run();
                return;
            } catch (KubernetesClientException e) {
                log.failed(purpose + " waits for the API server", e);
                pause.accept(delay);
                delay = min(delay.multipliedBy(2), LONGEST_DELAY);
            }
        }
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
