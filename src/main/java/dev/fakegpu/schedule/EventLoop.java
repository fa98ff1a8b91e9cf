package dev.fakegpu.schedule;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that decides. It hears of changes in the order in which they are told, and works whenever there are none left to
 * hear of. What only it touches needs no locks.
 */
final class EventLoop implements AutoCloseable {

    /** What is done between changes. */
    interface Work {

        /** @return whether there was something to do, so that there may be more */
        boolean step();

        /** How long to wait for a change when there is nothing to do. */
        Duration patience();
    }

    private static final Logger LOG = Logger.getLogger(EventLoop.class);
    private static final Duration END = Duration.ofSeconds(10);

    private final LinkedBlockingQueue<Runnable> changes = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile boolean closed;

    EventLoop(String name, Work work) {
        thread = new Thread(() -> run(work), name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void tell(Runnable change) {
        changes.add(change);
    }

    private void run(Work work) {
        while (!closed) {
            Runnable change = changes.poll();
            try {
                if (change != null) {
                    change.run();
                } else if (!work.step()) {
                    change = await(work.patience());
                    if (change != null) {
                        change.run();
                    }
                }
            } catch (RuntimeException e) {
                LOG.errorf(e, "%s: a change was not taken into account", thread.getName());
            }
        }
    }

    private @Nullable Runnable await(Duration patience) {
        try {
            return changes.poll(patience.toMillis() + 1, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed = true;
            return null;
        }
    }

    @Override
    public void close() {
        closed = true;
        changes.add(() -> {});
        try {
            thread.join(END.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
