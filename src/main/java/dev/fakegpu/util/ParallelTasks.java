package dev.fakegpu.util;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Applies a function to many items, several at a time. All callers share the threads and take turns after each item, so that a caller with
 * a few items does not wait for one with thousands. Thread-safe.
 */
public final class ParallelTasks {

    /** Runs everything on the caller's thread, one item after the other. */
    public static final ParallelTasks ON_CALLER = new ParallelTasks(Runnable::run, 1);

    private final Executor executor;
    private final int atATime;

    private ParallelTasks(Executor executor, int atATime) {
        this.executor = executor;
        this.atATime = atATime;
    }

    /**
     * Runs items on daemon threads.
     *
     * @param name the name of the threads
     * @param atATime how many items run at the same time, for all callers together
     */
    public static ParallelTasks onThreads(String name, int atATime) {
        var number = new AtomicInteger();
        return new ParallelTasks(
                Executors.newFixedThreadPool(atATime, task -> {
                    var thread = new Thread(task, name + "-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                }),
                atATime);
    }

    /**
     * Returns when all items that were started are done. After a failure no further item is started, and the first failure is thrown.
     *
     * @param mayBegin called before each item; once it returns false, no further item is started
     * @return how many items were started
     */
    public <T> int forEach(List<T> all, BooleanSupplier mayBegin, Consumer<T> task) {
        if (all.isEmpty()) {
            return 0;
        }
        var run = new Run<>(all.iterator(), mayBegin, task, Math.min(atATime, all.size()));
        for (int i = Math.min(atATime, all.size()); i > 0; i--) {
            executor.execute(() -> next(run));
        }
        return run.await();
    }

    private <T> void next(Run<T> run) {
        boolean more = run.next();
        // A loop, since recursion on the caller's thread would overflow the stack.
        while (more && atATime == 1) {
            more = run.next();
        }
        if (more) {
            executor.execute(() -> next(run));
        }
    }

    private static final class Run<T> {
        private final Iterator<T> rest;
        private final BooleanSupplier mayBegin;
        private final Consumer<T> task;
        private final CountDownLatch workers;
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private int begun;
        private boolean isStopped;

        Run(Iterator<T> rest, BooleanSupplier mayBegin, Consumer<T> task, int workers) {
            this.rest = rest;
            this.mayBegin = mayBegin;
            this.task = task;
            this.workers = new CountDownLatch(workers);
        }

        /** Processes one item. @return whether there may be more */
        boolean next() {
            try {
                T one = take();
                if (one != null) {
                    task.accept(one);
                    return true;
                }
            } catch (Throwable e) { // rethrown on the caller's thread, which waits for it
                failure.compareAndSet(null, e);
                stop();
            }
            workers.countDown();
            return false;
        }

        private synchronized @Nullable T take() {
            if (isStopped || !rest.hasNext() || !mayBegin.getAsBoolean()) {
                isStopped = true;
                return null;
            }
            begun++;
            return rest.next();
        }

        private synchronized void stop() {
            isStopped = true;
        }

        private synchronized int begun() {
            return begun;
        }

        int await() {
            // On the caller's thread everything is done by now, and the interrupt was not meant for this.
            if (workers.getCount() > 0) {
                awaitWorkers();
            }
            Throwable thrown = failure.get();
            if (thrown instanceof RuntimeException e) {
                throw e;
            }
            if (thrown instanceof Error e) {
                throw e;
            }
            return begun();
        }

        private void awaitWorkers() {
            try {
                workers.await();
            } catch (InterruptedException e) {
                stop();
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }
}
