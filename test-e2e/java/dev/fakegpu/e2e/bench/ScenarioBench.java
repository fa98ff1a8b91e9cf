package dev.fakegpu.e2e.bench;

import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.testing.ControlPlane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Plays random scenarios with the real kube-scheduler, or the real companion, and in memory. After each step, the same pods must be on the
 * same nodes with the same devices. Writes a row of a table to standard output, and differences to standard error.
 *
 * <p>The arguments are those of {@link PlayedSeeds}.
 */
final class ScenarioBench {

    static final int STEPS = 20;
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(80);

    /** How long an unexpected state must last before it counts as the result of other choices. */
    private static final Duration STABLE = Duration.ofSeconds(2);

    /** Longer than the maximum back-off of kube-scheduler, so that the order of waiting pods does not depend on the duration of steps. */
    private static final Duration BACK_OFF = Duration.ofSeconds(12);

    /** The companion schedules older pods first, and creation timestamps are in seconds. */
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final PlayedBy playedBy;
    private final AtomicInteger played = new AtomicInteger();
    private final AtomicInteger pods = new AtomicInteger();
    private final AtomicInteger ties = new AtomicInteger();
    private final AtomicInteger races = new AtomicInteger();
    private final AtomicInteger differing = new AtomicInteger();

    private ScenarioBench(PlayedBy playedBy) {
        this.playedBy = playedBy;
    }

    public static void main(String... arguments) throws InterruptedException {
        var seeds = new PlayedSeeds(PlayedBy.BARE, arguments);
        var bench = new ScenarioBench(seeds.playedBy());
        seeds.playAndExit(
                bench::play, () -> List.of(bench.played, bench.pods, bench.ties, bench.races, bench.differing));
    }

    private void play(ControlPlane controlPlane, long seed) {
        String name = "s" + seed;
        var random = new RandomScenario(seed, name, playedBy);
        var simulated = new ReplayedScenario(name, ClusterObjects.NONE);
        var done = new ArrayList<String>();
        try (var real = new RealScenario(controlPlane.client(), name)) {
            List<PlayedAction> world = random.start();
            real.play(world);
            simulated.next(world);
            for (int step = 1; step <= STEPS; step++) {
                List<PlayedAction> actions = new ArrayList<>(random.next());
                if (playedBy.isBare() ? simulated.wouldRetrySeveralPods(actions) : simulated.hasWaitingPods()) {
                    actions.add(0, new PlayedAction.Pause(playedBy.isBare() ? BACK_OFF : SECOND));
                }
                done.add(step + ": " + actions);
                real.play(actions);
                if (!isSame(real, simulated, simulated.next(actions), Duration.ZERO)) {
                    differing.incrementAndGet();
                    report(seed, done, real, simulated.state());
                    return;
                }
                played.incrementAndGet();
                ties.addAndGet(simulated.ties());
                races.addAndGet(simulated.isRace() ? 1 : 0);
            }
            pods.addAndGet((int) simulated.state().keySet().stream()
                    .filter(key -> !key.startsWith("claim"))
                    .count());
        }
    }

    /**
     * Waits until the scheduler has decided, and replays its choices among equal nodes and its turns.
     *
     * @param quiet how long the cluster must be as expected
     */
    static boolean isSame(
            RealScenario real, ReplayedScenario simulated, Map<String, List<String>> expected, Duration quiet) {
        try {
            Awaitility.await()
                    .pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(POLL)
                    .during(quiet)
                    .atMost(LONGEST)
                    .until(new Comparison(real, simulated, expected)::isSame);
            return true;
        } catch (ConditionTimeoutException e) {
            return false;
        }
    }

    /** Compares the real cluster repeatedly with the expected state. */
    private static final class Comparison {

        private final RealScenario real;
        private final ReplayedScenario simulated;
        private final Map<String, List<String>> expected;
        private Map<String, List<String>> before = Map.of();
        private long since = System.nanoTime();
        private Map<String, List<String>> followed = Map.of();

        /** What other choices lead to. */
        private @Nullable Map<String, List<String>> same;

        Comparison(RealScenario real, ReplayedScenario simulated, Map<String, List<String>> expected) {
            this.real = real;
            this.simulated = simulated;
            this.expected = expected;
        }

        boolean isSame() {
            Map<String, List<String>> now = real.state();
            if (now.equals(expected) || now.equals(same)) {
                return true;
            }
            if (!now.equals(before)) {
                before = now;
                since = System.nanoTime();
            }
            boolean isStable = System.nanoTime() - since >= STABLE.toNanos()
                    && now.values().stream().noneMatch(states -> states.contains(Placements.UNDECIDED));
            if (!isStable || now.equals(followed)) {
                return false;
            }
            followed = now;
            same = simulated.follow(now) ? now : same;
            return now.equals(same);
        }
    }

    private static void report(long seed, List<String> steps, RealScenario real, Map<String, List<String>> simulated) {
        var lines = new ArrayList<>(List.of("DIFFERENT seed " + seed + " after"));
        steps.forEach(step -> lines.add("  " + step));
        differences(real.state(), simulated).forEach(difference -> lines.add("    " + difference));
        real.sentences().forEach(sentence -> lines.add("    " + sentence));
        System.err.println(String.join(System.lineSeparator(), lines));
    }

    static List<String> differences(Map<String, List<String>> real, Map<String, List<String>> simulated) {
        var keys = new TreeSet<>(real.keySet());
        keys.addAll(simulated.keySet());
        return keys.stream()
                .filter(key -> !real.getOrDefault(key, List.of()).equals(simulated.getOrDefault(key, List.of())))
                .map(key -> key + ": real " + real.get(key) + ", here " + simulated.get(key))
                .toList();
    }
}
