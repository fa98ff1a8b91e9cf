package dev.fakegpu.e2e.bench;

import dev.fakegpu.testing.ControlPlane;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Plays random scenarios with the real kube-scheduler and in memory. After each step, the same pods must be on the same nodes with the same
 * devices. Writes a row of a table to standard output, and differences to standard error.
 *
 * <p>Arguments: the first seed, and the number of scenarios.
 */
final class ScenarioBench {

    private static final int STEPS = 20;
    private static final Duration LONGEST = Duration.ofSeconds(40);
    private static final Duration POLL = Duration.ofMillis(80);

    /** Longer than kube-scheduler's maximum back-off, so that the order of waiting pods does not depend on the duration of steps. */
    private static final Duration BACK_OFF = Duration.ofSeconds(12);

    private final KubernetesClient client;
    private int played;
    private int pods;
    private int ties;
    private int differing;

    private ScenarioBench(KubernetesClient client) {
        this.client = client;
    }

    public static void main(String... arguments) {
        long seed = Long.parseLong(arguments[0]);
        int count = Integer.parseInt(arguments[1]);
        try (var controlPlane = ControlPlane.start(ControlPlaneOptions.withSchedulerAndControllerManager());
                var kubelet = new BareKubelet(controlPlane.client())) {
            var bench = new ScenarioBench(controlPlane.client());
            for (long each = seed; each < seed + count; each++) {
                bench.play(each);
            }
            System.out.printf(
                    "| %d to %d | %d | %d | %d | %d | %d |%n",
                    seed, seed + count - 1, count, bench.played, bench.pods, bench.ties, bench.differing);
        }
        System.exit(0); // otherwise the threads of clients keep the process alive
    }

    private void play(long seed) {
        String name = "s" + seed;
        var random = new RandomScenario(seed, name);
        var simulated = new ReplayedScenario();
        var done = new ArrayList<String>();
        long begun = System.nanoTime();
        try (var real = new RealScenario(client, name)) {
            List<PlayedAction> world = random.start();
            real.play(world);
            simulated.next(world);
            for (int step = 1; step <= STEPS; step++) {
                List<PlayedAction> actions = new ArrayList<>(random.next());
                if (simulated.haveSeveralPodsToWait()) {
                    actions.add(0, new PlayedAction.Pause(BACK_OFF));
                }
                done.add(step + ": " + actions);
                real.play(actions);
                if (!isSame(real, simulated, simulated.next(actions))) {
                    differing++;
                    report(seed, done, real.state(), simulated.state());
                    real.sentences().forEach(sentence -> System.err.println("    " + sentence));
                    return;
                }
                played++;
                ties += simulated.ties();
            }
            pods += (int) simulated.state().keySet().stream()
                    .filter(key -> !key.startsWith("claim"))
                    .count();
        } finally {
            System.err.printf(
                    "seed %d: %d s%n",
                    seed, Duration.ofNanos(System.nanoTime() - begun).toSeconds());
        }
    }

    /** Waits until kube-scheduler has decided, and replays its choices among equal nodes. */
    private static boolean isSame(RealScenario real, ReplayedScenario simulated, Map<String, List<String>> expected) {
        try {
            Awaitility.await()
                    .pollInSameThread()
                    .pollInterval(POLL)
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
        private Map<String, List<String>> followed = Map.of();

        Comparison(RealScenario real, ReplayedScenario simulated, Map<String, List<String>> expected) {
            this.real = real;
            this.simulated = simulated;
            this.expected = expected;
        }

        boolean isSame() {
            real.renewLeases();
            Map<String, List<String>> now = real.state();
            if (now.equals(expected)) {
                return true;
            }
            boolean isStable = now.equals(before)
                    && now.values().stream().noneMatch(states -> states.contains(Placements.UNDECIDED));
            before = now;
            if (!isStable || now.equals(followed)) {
                return false;
            }
            followed = now;
            return simulated.follow(now);
        }
    }

    private static void report(
            long seed, List<String> steps, Map<String, List<String>> real, Map<String, List<String>> simulated) {
        System.err.println("DIFFERENT seed " + seed + " after");
        steps.forEach(step -> System.err.println("  " + step));
        var keys = new TreeSet<>(real.keySet());
        keys.addAll(simulated.keySet());
        for (String key : keys) {
            if (!real.getOrDefault(key, List.of()).equals(simulated.getOrDefault(key, List.of()))) {
                System.err.println("    " + key + ": real " + real.get(key) + ", here " + simulated.get(key));
            }
        }
    }
}
