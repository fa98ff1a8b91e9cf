package dev.fakegpu.simulate.memory;

import dev.fakegpu.simulate.controller.ControllerTime;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.TaskExecutors;
import dev.fakegpu.util.Ticker;
import dev.fakegpu.util.Timestamps;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.ScheduledExecutorService;

/** A clock and ticker that move only when they are told to, with the tasks that are due at certain times. Everything runs in one thread. */
public final class VirtualTime extends Clock implements Ticker, TaskExecutors, ControllerTime {

    /** @param number the order of tasks that are due at the same time */
    record Task(Instant due, long number, Runnable work) {}

    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparing(Task::due).thenComparing(Task::number));
    private final Instant start;
    private Instant now;
    private long added;

    public VirtualTime(Instant start) {
        this.start = start;
        now = start;
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public long nanos() {
        return now().sinceOrigin().toNanos();
    }

    /** Also correct after the number of nanoseconds has overflowed. */
    @Override
    public Moment now() {
        return new Moment(Duration.between(start, now));
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    /** @throws UnsupportedOperationException always: all times of the Kubernetes API are UTC */
    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledExecutorService named(String name, int threads) {
        return new VirtualExecutor(this);
    }

    @Override
    public void after(Duration delay, Runnable work) {
        var unused = add(delay, work);
    }

    public Task add(Duration delay, Runnable work) {
        var task = new Task(Timestamps.later(now, delay), added++, work);
        tasks.add(task);
        return task;
    }

    boolean remove(Task task) {
        return tasks.remove(task);
    }

    /** Runs the tasks that are due now, including those that become due meanwhile. Returns whether there were any. */
    public boolean runDue() {
        boolean ran = false;
        while (runNext()) {
            ran = true;
        }
        return ran;
    }

    /** Runs the first of the tasks that are due now. Returns whether there was one. */
    public boolean runNext() {
        boolean isDue = !tasks.isEmpty() && !tasks.peek().due().isAfter(now);
        if (isDue) {
            Objects.requireNonNull(tasks.poll()).work().run();
        }
        return isDue;
    }

    public Optional<Instant> nextDue() {
        return Optional.ofNullable(tasks.peek()).map(Task::due);
    }

    public void moveTo(Instant instant) {
        now = instant;
    }
}
