package dev.fakegpu.e2e.bench;

import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.Patience;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/**
 * Plays random scenarios with consecutive seeds, one after the other on each of several control planes.
 *
 * <p>Arguments of the programs: the first seed, the number of scenarios, {@code kube} or {@code companion}, and the number of control planes
 * at once.
 */
final class PlayedSeeds {

    /** Plays the scenario of a seed on a control plane without other scenarios. */
    interface Player {
        void play(ControlPlane controlPlane, long seed);
    }

    private final String scheduler;
    private final PlayedBy playedBy;
    private final long first;
    private final int count;
    private final int atOnce;
    private final AtomicLong next;
    private final AtomicInteger ended = new AtomicInteger();

    /** @param ofKube what plays the scenarios of {@code kube} */
    PlayedSeeds(PlayedBy ofKube, String... arguments) {
        first = Long.parseLong(arguments[0]);
        count = Integer.parseInt(arguments[1]);
        scheduler = arguments[2];
        playedBy = scheduler.equals("companion") ? PlayedBy.COMPANION : ofKube;
        atOnce = Integer.parseInt(arguments[3]);
        next = new AtomicLong(first);
    }

    PlayedBy playedBy() {
        return playedBy;
    }

    /**
     * Plays all scenarios, reports those that fail to standard error, and writes a row of a table to standard output. Ends the process, which
     * the threads of clients would keep alive; with code 1 if all scenarios have failed.
     *
     * @param results the columns after the seeds, the scheduler and the number of scenarios that did not fail
     */
    void playAndExit(Player player, Supplier<List<?>> results) throws InterruptedException {
        Awaitility.setDefaultTimeout(Patience.LIMIT); // also for the start of an operator
        int played = play(player);
        if (played == 0) {
            System.exit(1); // threads have reported why
        }
        String columns = results.get().stream().map(Object::toString).collect(Collectors.joining(" | "));
        System.out.printf("| %d to %d | %s | %d | %s |%n", first, first + count - 1, scheduler, played, columns);
        System.exit(0);
    }

    private int play(Player player) throws InterruptedException {
        var threads = Executors.newFixedThreadPool(atOnce);
        for (int i = 0; i < atOnce; i++) {
            threads.execute(() -> playOnOne(player));
        }
        threads.shutdown();
        threads.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        return ended.get();
    }

    private void playOnOne(Player player) {
        try (var controlPlane = playedBy.start()) {
            for (long seed = next.getAndIncrement(); seed < first + count; seed = next.getAndIncrement()) {
                long begun = System.nanoTime();
                try {
                    player.play(controlPlane, seed);
                    ended.incrementAndGet();
                } catch (RuntimeException | AssertionError e) {
                    System.err.println("FAILED seed " + seed);
                    e.printStackTrace();
                }
                System.err.printf("seed %d: %d s%n", seed, (System.nanoTime() - begun) / 1_000_000_000);
            }
        }
    }
}
