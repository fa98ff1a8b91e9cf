package dev.fakegpu.e2e.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterReader;
import dev.fakegpu.simulate.memory.ApiObjects;
import dev.fakegpu.testing.ControlPlane;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Before each step of random scenarios on a real control plane, asks {@code what-if} and {@code simulate --from-cluster} about it. Then
 * the same pods must be on the same nodes with the same devices. Writes a row of a table to standard output, and differences to standard
 * error.
 *
 * <p>The arguments are those of {@link PlayedSeeds}.
 */
final class ForetoldBench {

    /** How long the cluster must look as expected, since the next step begins with it. */
    private static final Duration QUIET = Duration.ofMillis(500);

    private final PlayedBy playedBy;
    private final AtomicInteger changes = new AtomicInteger();
    private final AtomicInteger ties = new AtomicInteger();
    private final AtomicInteger races = new AtomicInteger();
    private final AtomicInteger otherAnswers = new AtomicInteger();
    private final AtomicInteger otherResults = new AtomicInteger();

    private ForetoldBench(PlayedBy playedBy) {
        this.playedBy = playedBy;
    }

    public static void main(String... arguments) throws InterruptedException {
        var seeds = new PlayedSeeds(PlayedBy.KUBE, arguments);
        var bench = new ForetoldBench(seeds.playedBy());
        seeds.playAndExit(
                bench::play,
                () -> List.of(bench.changes, bench.ties, bench.races, bench.otherAnswers, bench.otherResults));
    }

    private void play(ControlPlane controlPlane, long seed) {
        String name = "s" + seed;
        var random = new RandomScenario(seed, name, playedBy);
        var commands = new AskedCommands(controlPlane.kubeconfig(), name);
        try (var real = new RealScenario(controlPlane.client(), name)) {
            real.play(random.start());
            for (int step = 1; step <= ScenarioBench.STEPS; step++) {
                List<PlayedAction> actions = random.next();
                var asked = AskedChange.of(actions, real);
                if (asked.isEmpty()) {
                    real.play(actions);
                    continue;
                }
                ClusterObjects stored =
                        new ClusterReader(controlPlane.client()).read(name).objects();
                List<String> differences = compare(new Step(name, actions, asked.get(), stored), commands, real);
                if (!differences.isEmpty()) {
                    System.err.printf("DIFFERENT seed %d step %d: %s%n", seed, step, actions);
                    differences.forEach(difference -> System.err.println("    " + difference));
                }
            }
        }
    }

    /** @param stored the objects before it */
    private record Step(String namespace, List<PlayedAction> actions, AskedChange asked, ClusterObjects stored) {}

    private List<String> compare(Step step, AskedCommands commands, RealScenario real) {
        JsonNode answer = commands.whatIf(step.asked());
        ClusterObjects simulated = ClusterObjects.of(commands.simulated(step.asked()).stream()
                .<HasMetadata>map(ApiObjects::read)
                .filter(object -> Objects.requireNonNullElse(
                                object.getMetadata().getNamespace(), step.namespace())
                        .equals(step.namespace()))
                .toList());
        var unchanged = new ReplayedScenario(step.namespace(), step.stored());
        unchanged.next(List.of());
        var differences = new ArrayList<>(new ForetoldDifferences(step.namespace(), step.asked(), answer)
                .between(simulated, unchanged.objects()));
        otherAnswers.addAndGet(differences.isEmpty() ? 0 : 1);
        changes.incrementAndGet();

        var replayed = new ReplayedScenario(step.namespace(), step.stored());
        replayed.next(step.asked().actions());
        var expected = Placements.of(simulated.pods(), simulated.claims(), true);
        real.play(step.actions());
        if (ScenarioBench.isSame(real, replayed, expected, QUIET)) {
            ties.addAndGet(replayed.ties());
            races.addAndGet(replayed.isRace() ? 1 : 0);
        } else {
            otherResults.incrementAndGet();
            differences.addAll(ScenarioBench.differences(real.state(), replayed.state()));
            differences.addAll(real.sentences());
        }
        if (!differences.isEmpty()) {
            differences.add(answer.toString());
        }
        return differences;
    }
}
