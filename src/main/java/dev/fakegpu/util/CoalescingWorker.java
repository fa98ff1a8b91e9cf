package dev.fakegpu.util;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * Runs one piece of work on one thread whenever somebody asked for it since it last began. Many requests become one run, none is
 * lost, and the work never runs twice at a time: what it decides, it decides alone.
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
        this.name = name;
        this.work = work;
        this.executor = Executors.newSingleThreadScheduledExecutor(task -> {
            var thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    public void request() {
        if (!executor.isShutdown() && requested.compareAndSet(false, true)) {
            executor.execute(this::run);
        }
    }

    public void requestIn(Duration delay) {
        if (!executor.isShutdown()) {
            var ignored = executor.schedule(this::request, delay.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void run() {
        requested.set(false);
        try {
            work.run();
        } catch (RuntimeException e) {
            // The next run decides anew from what is then stored, so nothing needs to be repaired here.
            LOG.warnf(e, "%s failed and is run again in %s s", name, AFTER_FAILURE.toSeconds());
            requestIn(AFTER_FAILURE);
        }
    }

    /**
     * One step of the work that is about one object. If the object changed meanwhile, or the write fails, it is left for another
     * run that follows by itself, and the steps for other objects go on.
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
