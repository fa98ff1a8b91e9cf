package dev.fakegpu.simulate.memory;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Runs tasks when they are due in virtual time. */
final class VirtualExecutor extends AbstractExecutorService implements ScheduledExecutorService {

    private final VirtualTime time;
    private boolean isShutdown;

    VirtualExecutor(VirtualTime time) {
        this.time = time;
    }

    private final class Scheduled<V> extends FutureTask<V> implements ScheduledFuture<V> {

        private final VirtualTime.Task task;

        Scheduled(Callable<V> call, Duration delay) {
            super(call);
            task = time.add(delay, this);
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            time.remove(task);
            return super.cancel(mayInterrupt);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(Duration.between(time.instant(), task.due()));
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    @Override
    public void execute(Runnable command) {
        time.add(Duration.ZERO, command);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        return schedule(
                () -> {
                    command.run();
                    return true;
                },
                delay,
                unit);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> call, long delay, TimeUnit unit) {
        return new Scheduled<>(call, Duration.of(delay, unit.toChronoUnit()));
    }

    /** @throws UnsupportedOperationException always, since the operator's parts schedule their next run themselves */
    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    /** @throws UnsupportedOperationException always, since the operator's parts schedule their next run themselves */
    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initialDelay, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void shutdown() {
        isShutdown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        isShutdown = true;
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return isShutdown;
    }

    @Override
    public boolean isTerminated() {
        return isShutdown;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }
}
