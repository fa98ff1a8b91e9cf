package dev.fakegpu.util;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * Runs a task on its own thread after each request. Requests during a run are coalesced into one further run. No request is lost, and runs
 * never overlap.
 */
public final class CoalescingWorker implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(CoalescingWorker.class);
    private static final Duration AFTER_CONFLICT = Duration.ofMillis(100);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final ScheduledExecutorService executor;
    private final AtomicBoolean requested = new AtomicBoolean();
    private final String name;
    private final Runnable work;

    public CoalescingWorker(String name, Runnable work) {
        this(name, work, TaskExecutors.THREADS);
    }

    public CoalescingWorker(String name, Runnable work, TaskExecutors executors) {
        this.name = name;
        this.work = work;
        this.executor = executors.named(name, 1);
    }

    public void request() {
        if (!executor.isShutdown() && requested.compareAndSet(false, true)) {
            executor.execute(this::run);
        }
    }

    /** Requests a run that does not start before the delay has passed. */
    public void requestIn(Duration delay) {
        if (!executor.isShutdown()) {
            var ignored = executor.schedule(this::request, TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS);
        }
    }

    private void run() {
        requested.set(false);
        try {
            work.run();
        } catch (RuntimeException e) {
            // The next run starts from the state stored at that time, so nothing needs to be undone here.
            LOG.warnf(e, "%s failed and is run again in %s s", name, AFTER_FAILURE.toSeconds());
            requestIn(AFTER_FAILURE);
        } catch (Error e) {
            // If it were rethrown, the executor would keep it in a future that is never read.
            FatalErrors.end(e);
        }
    }

    /**
     * Runs a step of the task for one object. If it fails, another run is scheduled, and the task continues with other objects.
     */
    public void attempt(HasMetadata object, Runnable step) {
        try {
            step.run();
        } catch (KubernetesClientException e) {
            boolean changedMeanwhile =
                    e.getCode() == HttpURLConnection.HTTP_CONFLICT || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
            LOG.logf(
                    changedMeanwhile ? Logger.Level.DEBUG : Logger.Level.WARN,
                    "%s: %s %s/%s is looked at again: %s",
                    name,
                    object.getKind(),
                    object.getMetadata().getNamespace(),
                    object.getMetadata().getName(),
                    e.getMessage());
            requestIn(changedMeanwhile ? AFTER_CONFLICT : AFTER_FAILURE);
        } catch (RuntimeException e) {
            LOG.warnf(
                    e,
                    "%s: %s %s/%s is looked at again",
                    name,
                    object.getKind(),
                    object.getMetadata().getNamespace(),
                    object.getMetadata().getName());
            requestIn(AFTER_FAILURE);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
        try {
            if (!executor.awaitTermination(10, TimeUnit.SECONDS)) {
                LOG.warnf("%s did not end within 10 s", name);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
