package dev.fakegpu.operator.schedule;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs events in the order of arrival, and a background task when there are none. State that only this thread accesses needs
 * no locks.
 */
final class EventLoop implements Executor, AutoCloseable {

    /** The thread's work between events. */
    interface IdleTask {

        /**
         * @param eventsWait whether events are waiting; this may change during the call
         * @return whether there was something to do; there may be more
         */
        boolean runOnce(BooleanSupplier eventsWait);

        /** The longest time to wait for an event when there is nothing to do. */
        Duration maxWait();
    }

    private static final Logger LOG = Logger.getLogger(EventLoop.class);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    private final LinkedBlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    private final String name;
    private @Nullable Thread thread;
    private volatile boolean closed;
    private volatile boolean waiting = true;
    private volatile long stepsDone;

    EventLoop(String name) {
        this.name = name;
    }

    /** Runs events that were added before the start first. Call only once. */
    void start(IdleTask task) {
        thread = new Thread(() -> run(task), name);
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Runs the events that are waiting, without the task.
     *
     * @return whether there were any
     */
    boolean runEvents() {
        boolean done = false;
        for (Runnable event = events.poll(); event != null; event = events.poll()) {
            event.run();
            done = true;
        }
        return done;
    }

    /**
     * Runs events and the task in the caller's thread, instead of {@link #start}, until there is nothing left to do.
     *
     * @return whether anything was done
     */
    boolean runUntilIdle(IdleTask task) {
        boolean done = false;
        while (true) {
            Runnable event = events.poll();
            if (event != null) {
                event.run();
            } else if (!task.runOnce(this::hasEvents)) {
                return done;
            }
            done = true;
        }
    }

    @Override
    public void execute(Runnable event) {
        events.add(event);
    }

    private void run(IdleTask task) {
        waiting = false;
        while (!closed) {
            Runnable event = events.poll();
            try {
                if (event != null) {
                    event.run();
                } else if (!task.runOnce(this::hasEvents)) {
                    event = await(task.maxWait());
                    if (event != null) {
                        event.run();
                    }
                }
            } catch (RuntimeException | StackOverflowError e) {
                LOG.errorf(e, "%s: an event was not handled", name);
            } finally {
                stepsDone++;
            }
        }
    }

    /** Changes with each step; null while the thread waits for events. If the value stays the same for a long time, a step hangs. */
    @Nullable Long currentStep() {
        return waiting ? null : stepsDone;
    }

    /** The number of events that have not run yet. */
    int pendingEvents() {
        return events.size();
    }

    /** The number of events and parts of the background task that have run since the start. */
    long stepsDone() {
        return stepsDone;
    }

    private boolean hasEvents() {
        return !events.isEmpty();
    }

    private @Nullable Runnable await(Duration maxWait) {
        waiting = true;
        try {
            return events.poll(maxWait.toMillis() + 1, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed = true;
            return null;
        } finally {
            waiting = false;
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
