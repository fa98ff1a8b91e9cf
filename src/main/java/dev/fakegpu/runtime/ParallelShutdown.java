package dev.fakegpu.runtime;

import dev.fakegpu.util.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Stops the parts of the process in parallel with a common deadline, so that a part that hangs does not delay the others. */
final class ParallelShutdown {

    private static final Logger LOG = Logger.getLogger(ParallelShutdown.class);

    private ParallelShutdown() {}

    /**
     * Returns when all parts have stopped, or after the limit.
     *
     * @param parts the actions that stop each part, by name
     * @return the names of the parts that have not stopped, in alphabetical order
     */
    static List<String> stop(Map<String, Runnable> parts, Duration limit) {
        long deadline = Ticker.SYSTEM.nanos() + limit.toNanos();
        Map<String, Thread> threads = new TreeMap<>();
        parts.forEach((name, stop) -> threads.put(name, started(name, stop)));
        var remaining = new ArrayList<String>();
        threads.forEach((name, thread) -> {
            if (!ended(thread, deadline - Ticker.SYSTEM.nanos())) {
                LOG.warnf("%s has not stopped within %s s", name, limit.toSeconds());
                remaining.add(name);
            }
        });
        return remaining;
    }

    private static Thread started(String name, Runnable stop) {
        var thread = new Thread(
                () -> {
                    try {
                        stop.run();
                    } catch (RuntimeException e) {
                        LOG.warnf(e, "%s did not stop properly", name);
                    }
                },
                "stop-" + name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static boolean ended(Thread thread, long nanos) {
        try {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
