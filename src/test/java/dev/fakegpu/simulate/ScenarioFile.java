package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.simulate.scenario.ScenarioManifest;
import dev.fakegpu.simulate.scenario.ScenarioRun;
import dev.fakegpu.simulate.scenario.ScenarioRun.StepResult;
import dev.fakegpu.testing.ProjectFiles;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A scenario in {@code test-e2e/scenarios}, which {@link ScenariosTest} plays in memory and {@code ScenariosE2E} on a real cluster. A
 * scenario with the label {@code scheduler: any} is played twice: unchanged for the companion, and again for kube-scheduler.
 *
 * @param name the name of the file
 * @param scheduler the scheduler that allocates the devices
 */
public record ScenarioFile(String name, AllocatorName scheduler, ScenarioManifest manifest) {

    private static final String FOLDER = "test-e2e/scenarios";
    private static final String STUCK = "docs/stuck";
    private static final String SUFFIX = ".scenario.yaml";

    /** All scenarios, by name. */
    public static Stream<ScenarioFile> all() {
        return in(FOLDER);
    }

    /**
     * The situations of {@code docs/stuck}, by number. They are for kube-scheduler, since most of their devices are of other drivers. The
     * situation that needs a real node is omitted, because its kubelet would be simulated although no plugin runs there.
     */
    static Stream<ScenarioFile> ofStuckPods() {
        return in(STUCK)
                .filter(file -> !file.name().equals("24-driver-gone"))
                .map(file -> new ScenarioFile(file.name(), AllocatorName.KubeScheduler, file.manifest()));
    }

    /** Mistakes and shortages that are played only in memory. */
    static Stream<ScenarioFile> ofMistakes() {
        return in("src/test/resources/stuck");
    }

    /** KEP-5963's examples. */
    static ScenarioFile ofKep(AllocatorName scheduler) {
        ScenarioFile file = in("config/samples")
                .filter(each -> each.name().startsWith("kep-5963"))
                .findFirst()
                .orElseThrow();
        return new ScenarioFile(file.name(), scheduler, file.manifest());
    }

    /** The scenarios that a real cluster plays differently. */
    static Stream<ScenarioFile> ofDifferences() {
        return in("src/test/resources/what-differs");
    }

    /** The scenarios that need the feature gate {@code DRANodeAllocatableResources} in a cluster. */
    static Stream<ScenarioFile> ofDevicesThatTakeResources() {
        return Stream.of("kep-5517", "topology")
                .flatMap(name -> read(ProjectFiles.resolve("config/samples/" + name + SUFFIX)));
    }

    private static Stream<ScenarioFile> in(String folder) {
        try {
            return ProjectFiles.list(folder).stream()
                    .filter(file -> file.toString().endsWith(SUFFIX))
                    .flatMap(ScenarioFile::read);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<ScenarioFile> read(Path file) {
        JsonNode scenario = objects(file).get(0);
        var manifest = ScenarioManifest.read(
                scenario, path -> objectsIn(file.resolveSibling(path).normalize()));
        String name = file.getFileName().toString().replace(SUFFIX, "");
        boolean isForAny = scenario.path("metadata")
                .path("labels")
                .path("scheduler")
                .asText()
                .equals("any");
        return isForAny
                ? Stream.of(AllocatorName.values()).map(scheduler -> new ScenarioFile(name, scheduler, manifest))
                : Stream.of(new ScenarioFile(name, AllocatorName.Companion, manifest));
    }

    /** The objects in a file, or in the files of a directory. */
    private static List<JsonNode> objectsIn(Path path) {
        if (!Files.isDirectory(path)) {
            return objects(path);
        }
        try (Stream<Path> files = Files.list(path)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .flatMap(file -> objects(file).stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<JsonNode> objects(Path file) {
        var mapper = Serialization.yamlMapper();
        try (var documents = mapper.readerFor(JsonNode.class).<JsonNode>readValues(file.toFile())) {
            return documents.readAll();
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }

    /** Plays all steps. If an expectation is not met, the test fails with the step, the actual state, and the reason. */
    public void play(ScenarioStage cluster) {
        play(
                cluster,
                result -> assertThat(problems(result))
                        .as("%s, step %d: %s", this, result.number(), result.title())
                        .isEmpty());
    }

    /** Plays all steps, even if the scenario's expectations are not met. */
    List<StepResult> playAnyhow(ScenarioStage cluster) {
        var results = new ArrayList<StepResult>();
        play(cluster, results::add);
        return results;
    }

    private void play(ScenarioStage cluster, Consumer<StepResult> then) {
        var stage = scheduler == AllocatorName.Companion ? cluster : new KubeSchedulerStage(cluster);
        var run = new ScenarioRun(stage);
        for (int number = 1; number <= manifest.steps().size(); number++) {
            then.accept(run.play(number, manifest.steps().get(number - 1)));
        }
    }

    private static List<String> problems(StepResult result) {
        Function<ScenarioRun.Check, Stream<String>> problem = check -> check.passed()
                ? Stream.of()
                : Stream.of("expected: " + check.expected() + "; but: " + check.actual() + "; " + check.why());
        return result.checks().stream().flatMap(problem).toList();
    }

    /** The number of the scenario's expectations. */
    public int expectations() {
        var counts = new ArrayList<Integer>();
        manifest.steps().forEach(step -> {
            if (step instanceof ScenarioManifest.Expect expect) {
                counts.add(expect.expectations().size());
            }
        });
        return counts.stream().mapToInt(count -> count).sum();
    }

    @Override
    public String toString() {
        return name + " (" + scheduler + ")";
    }
}
