package dev.fakegpu.schedule;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One thread that runs events in order of arrival, and a background task while there are none. State that only this thread touches needs no
 * locks.
 */
final class EventLoop implements Executor, AutoCloseable {

    /** What the thread does between events. */
    interface IdleTask {

        /** @return whether there was something to do; there may be more */
        boolean runOnce();

        /** How long to wait for an event when there is nothing to do. */
        Duration maxWait();
    }

    private static final Logger LOG = Logger.getLogger(EventLoop.class);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    private final LinkedBlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    private final String name;
    private @Nullable Thread thread;
    private volatile boolean closed;

    EventLoop(String name) {
        this.name = name;
    }

    /** Events that were added earlier are run first. Call only once. */
    void start(IdleTask task) {
        thread = new Thread(() -> run(task), name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void execute(Runnable event) {
        events.add(event);
    }

    private void run(IdleTask task) {
        while (!closed) {
            Runnable event = events.poll();
            try {
                if (event != null) {
                    event.run();
                } else if (!task.runOnce()) {
                    event = await(task.maxWait());
                    if (event != null) {
                        event.run();
                    }
                }
            } catch (RuntimeException e) {
                LOG.errorf(e, "%s: an event was not handled", name);
            }
        }
    }

    private @Nullable Runnable await(Duration maxWait) {
        try {
            return events.poll(maxWait.toMillis() + 1, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed = true;
            return null;
        }
    }

    @Override
    public void close() {
        closed = true;
        events.add(() -> {});
        if (thread == null) {
            return;
        }
        try {
            thread.join(STOP_TIMEOUT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
