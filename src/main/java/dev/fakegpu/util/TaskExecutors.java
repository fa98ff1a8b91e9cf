package dev.fakegpu.util;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Creates the executors of the operator's parts: with threads of their own or, in a simulation, one task after the other in virtual time.
 */
@FunctionalInterface
public interface TaskExecutors {

    /** Uses daemon threads. */
    TaskExecutors THREADS = TaskExecutors::threads;

    /**
     * Creates an executor.
     *
     * @param name the name of the threads
     * @param threads how many tasks may run at the same time
     */
    ScheduledExecutorService named(String name, int threads);

    private static ScheduledExecutorService threads(String name, int threads) {
        var number = new AtomicInteger();
        return Executors.newScheduledThreadPool(threads, task -> {
            var thread = new Thread(task, threads == 1 ? name : name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }
}
