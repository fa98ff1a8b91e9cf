package dev.fakegpu.engine.cel.eval;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares the processor time of evaluations with their costs. Evaluations run in a separate thread, so that an evaluation that does not
 * end fails with its name, and does not block the test.
 */
public final class EvaluationTimes implements AutoCloseable {

    /** The cost units that may take {@link #NOMINAL}. */
    public static final long CHEAP = 10_000;

    private static final Duration NOMINAL = Duration.ofMillis(10);

    /**
     * How many times longer an evaluation may take, because machines differ, and tests run without the second compiler and measure
     * coverage.
     */
    private static final int TOLERANCE = 30;

    private static final int MOST_RUNS = 5;

    /** The limit of processor time. */
    private static final Duration GIVEN_UP = Duration.ofSeconds(5);

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);

    /** The limit at which upstream stops every evaluation. */
    private static final long MOST_COST = 1_000_000;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private volatile Thread thread;
    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
        thread = new Thread(task, "evaluations");
        thread.setDaemon(true); // an evaluation that does not end must not keep the process alive
        return thread;
    });
    private final List<Measured> all = new ArrayList<>();

    /** The minimum of the processor time of several runs. */
    private record Measured(String name, Duration time, long cost) {

        Duration nominal() {
            long most = cost < 0 ? MOST_COST : Math.min(cost, MOST_COST);
            return NOMINAL.multipliedBy(Math.max(most, CHEAP)).dividedBy(CHEAP);
        }

        double ratio() {
            return (double) time.toNanos() / nominal().toNanos();
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%.1f ms for %,d units: %s", time.toNanos() / 1e6, cost, name);
        }
    }

    /** Repeats the evaluation until a slow evaluation can be distinguished from a disturbed one. */
    public void add(String name, Supplier<Program.Outcome> evaluation) {
        Measured best = once(name, evaluation);
        for (int run = 1; run < MOST_RUNS && best.ratio() > 1; run++) {
            Measured again = once(name, evaluation);
            best = again.ratio() < best.ratio() ? again : best;
        }
        all.add(best);
    }

    private Measured once(String name, Supplier<Program.Outcome> evaluation) {
        var future = executor.submit(() -> {
            long begin = THREADS.getCurrentThreadCpuTime();
            Program.Outcome outcome = evaluation.get();
            return new Measured(name, Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - begin), outcome.cost());
        });
        try {
            return ended(name, future);
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError(name + ": " + e, e);
        }
    }

    /** Waits by processor time, because a busy machine may not run the thread for seconds. */
    private Measured ended(String name, Future<Measured> future) throws ExecutionException, InterruptedException {
        long begin = System.nanoTime();
        long usedBefore = -1;
        while (true) {
            try {
                return future.get(1, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                long used = THREADS.getThreadCpuTime(thread.getId());
                usedBefore = usedBefore < 0 ? used : usedBefore;
                if (used - usedBefore > GIVEN_UP.toNanos() || System.nanoTime() - begin > LONGEST_WAIT.toNanos()) {
                    throw new AssertionError(
                            "no end: " + name
                                    + Stream.of(thread.getStackTrace())
                                            .limit(20)
                                            .map(at -> "\n  at " + at)
                                            .toList(),
                            e);
                }
            }
        }
    }

    public int number() {
        return all.size();
    }

    /** The evaluations that take far longer than their costs allow. */
    public List<String> slow() {
        return worst(all.size())
                .filter(each -> each.ratio() > TOLERANCE)
                .map(Measured::toString)
                .toList();
    }

    /** The slowest evaluations in relation to their costs, for the log. */
    public String worst() {
        return worst(10).map(each -> "\n  " + each).collect(Collectors.joining());
    }

    private Stream<Measured> worst(int number) {
        return all.stream()
                .sorted(Comparator.comparingDouble(Measured::ratio).reversed())
                .limit(number);
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
