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
 * A scenario of {@code test-e2e/scenarios}, which is played in memory by {@link ScenariosTest} and on a real cluster by {@code ScenariosE2E}.
 * One with the label {@code scheduler: any} is played twice: as it is, for the companion, and again for kube-scheduler.
 *
 * @param name of the file
 * @param scheduler who gives away the devices
 */
public record ScenarioFile(String name, AllocatorName scheduler, ScenarioManifest manifest) {

    private static final String FOLDER = "test-e2e/scenarios";
    private static final String STUCK = "docs/stuck";
    private static final String SUFFIX = ".scenario.yaml";

    /** All of them, by name. */
    public static Stream<ScenarioFile> all() {
        return in(FOLDER);
    }

    /**
     * The situations of {@code docs/stuck}, by number: for kube-scheduler, since most of their devices are of other drivers. Without one
     * that is about a real node, whose kubelet is simulated although no plugin runs there.
     */
    static Stream<ScenarioFile> ofStuckPods() {
        return in(STUCK)
                .filter(file -> !file.name().equals("24-driver-gone"))
                .map(file -> new ScenarioFile(file.name(), AllocatorName.KubeScheduler, file.manifest()));
    }

    /** KEP-5963's examples. */
    static ScenarioFile ofKep(AllocatorName scheduler) {
        ScenarioFile file = in("config/samples")
                .filter(each -> each.name().startsWith("kep-5963"))
                .findFirst()
                .orElseThrow();
        return new ScenarioFile(file.name(), scheduler, file.manifest());
    }

    /** What a real cluster does in another way. */
    static Stream<ScenarioFile> ofDifferences() {
        return in("src/test/resources/what-differs");
    }

    /** Those that only a cluster with the feature gate {@code DRANodeAllocatableResources} could play. */
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

    /** Of a file, or of the files of a folder. */
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

    /** Plays all steps; an expectation that is not met fails with its step, the actual state, and the reason. */
    public void play(ScenarioStage cluster) {
        play(
                cluster,
                result -> assertThat(problems(result))
                        .as("%s, step %d: %s", this, result.number(), result.title())
                        .isEmpty());
    }

    /** The same where things go otherwise than a scenario expects. */
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

    /** Whether a scenario expects anything. */
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
