package dev.fakegpu.e2e.bench;

import dev.fakegpu.testing.ControlPlane;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Plays random scenarios with consecutive seeds, one after the other on each of several control planes. */
final class PlayedSeeds {

    /** Plays the scenario of a seed on a control plane without other scenarios. */
    interface Player {
        void play(ControlPlane controlPlane, long seed);
    }

    private final PlayedBy playedBy;
    private final AtomicLong next;
    private final long end;
    private final AtomicInteger ended = new AtomicInteger();

    /** @param end the seed after the last one */
    PlayedSeeds(PlayedBy playedBy, long first, long end) {
        this.playedBy = playedBy;
        this.next = new AtomicLong(first);
        this.end = end;
    }

    /**
     * Plays all scenarios, and reports those that fail.
     *
     * @param atOnce the number of control planes
     * @return the number of scenarios that did not fail
     */
    int play(int atOnce, Player player) throws InterruptedException {
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
            for (long seed = next.getAndIncrement(); seed < end; seed = next.getAndIncrement()) {
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
