package dev.fakegpu.dashboard.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.dashboard.Comparison;
import dev.fakegpu.dashboard.Comparison.Check;
import dev.fakegpu.dashboard.Dashboard;
import dev.fakegpu.dashboard.Dashboard.WaitingView;
import dev.fakegpu.dashboard.GpuView;
import dev.fakegpu.dashboard.GpuView.HoldingView;
import dev.fakegpu.simulate.SimulationOptions;
import dev.fakegpu.testing.ProjectFiles;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlaysTest {

    private static final String FAKE_GPU = """
            apiVersion: fakegpu.dev/v1alpha1
            kind: FakeGpu
            metadata: {name: a100}
            spec: {nodes: {simulated: {count: 1}}, model: A100-SXM4-40GB, count: 1}
            """;

    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: train}
            spec:
              schedulerName: fakegpu-scheduler
              containers: [{name: main, image: "busybox:1"}]
              resourceClaims: [{name: gpu, resourceClaimName: train}]
            """;

    private static final String CLAIM = """
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: train}
            spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
            """;

    private static final String SCENARIO = """
            apiVersion: fakegpu.dev/v1alpha1
            kind: Scenario
            metadata: {name: folder}
            steps:
            - {name: the GPU, apply: files}
            - expect: [{pod: train, is: Running}]
            """;

    private static GpuView gpu(Dashboard picture) {
        return picture.nodes().get(0).gpus().get(0);
    }

    private static Path ofProject(String path) {
        return path.startsWith("example-")
                ? ProjectFiles.resolve("src/main/resources/dashboard/plays/" + path)
                : ProjectFiles.resolve(path);
    }

    private static Optional<InputStream> read(String path) {
        try {
            return Optional.of(Files.newInputStream(ofProject(path)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PlayFiles files(Map<String, String> files) {
        return new PlayFiles(
                files.keySet().stream().sorted().toList(),
                path -> Optional.ofNullable(files.get(path))
                        .map(text -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))));
    }

    private static JsonNode json(String yaml) throws IOException {
        return Serialization.yamlMapper().readTree(yaml);
    }

    @Test
    void withTheGateADeviceIsRefusedAndWithoutItsPreparationFails() {
        Comparison comparison = Plays.builtIn().play("example-3.scenario.yaml", "gate");

        assertThat(comparison.worlds()).containsExactly("Feature gate on", "Feature gate off");
        assertThat(comparison.steps()).hasSize(4);
        List<Dashboard> both = comparison.steps().get(2).pictures();
        assertThat(both.get(0).waiting()).extracting(WaitingView::code).containsExactly("DevicesIncompatible");
        assertThat(gpu(both.get(0)).mode()).isEqualTo("mig");
        assertThat(gpu(both.get(0)).holdings()).hasSize(1);
        assertThat(both.get(1).waiting()).isEmpty();
        assertThat(gpu(both.get(1)).holdings())
                .extracting(HoldingView::prepared)
                .containsExactlyInAnyOrder("succeeded", "failed");
        List<Dashboard> after = comparison.steps().get(3).pictures();
        assertThat(after).allSatisfy(picture -> {
            assertThat(gpu(picture).holdings())
                    .extracting(HoldingView::claim, HoldingView::prepared)
                    .containsExactly(tuple("default/desktop", "succeeded"));
            assertThat(picture.waiting()).isEmpty();
        });
    }

    @Test
    void inAWorldWithoutTheGateThePageSaysThatGroupsAreIgnored() {
        Comparison comparison = new Plays(null, new PlayFiles(PlayFiles.list(), PlaysTest::read))
                .play("config/samples/kep-5963.scenario.yaml", "gate");

        List<Dashboard> pictures =
                comparison.steps().stream().map(step -> step.pictures().get(1)).toList();
        assertThat(pictures)
                .flatExtracting(Dashboard::waiting)
                .filteredOn(waiting -> waiting.kind().equals("Pod"))
                .extracting(WaitingView::code)
                .hasSizeGreaterThan(3)
                .containsOnly("GroupsIgnored");
    }

    @Test
    void allReportsAndSamplesAreListed() throws IOException {
        Path root = ProjectFiles.resolve("pom.xml").resolveSibling("");
        try (Stream<Path> stuck = Files.list(ProjectFiles.resolve("docs/stuck"));
                Stream<Path> samples = Files.walk(ProjectFiles.resolve("config/samples"))) {
            List<String> there = Stream.concat(
                            stuck.filter(file -> file.toString().endsWith(".scenario.yaml")),
                            samples.filter(file -> file.toString().endsWith(".yaml")))
                    .map(file -> root.relativize(file))
                    .map(Path::toString)
                    .toList();

            assertThat(PlayFiles.list())
                    .as("src/main/resources/dashboard/plays.txt")
                    .contains("example-3.scenario.yaml")
                    .containsAll(there)
                    .hasSize(there.size() + 1);
        }
    }

    @Test
    void everyListedFileCanBeRead() {
        var files = new PlayFiles(PlayFiles.list(), PlaysTest::read);

        assertThat(files.groups())
                .extracting(Plays.Group::title)
                .containsExactly("KEP-5963's examples", "Samples", "Stuck pods");
        assertThat(files.groups())
                .allSatisfy(group -> assertThat(group.plays())
                        .allSatisfy(each -> assertThat(
                                        files.read(each.name()).worlds().get(0).steps())
                                .as(each.name())
                                .isNotEmpty()));
    }

    @Test
    void aSampleIsPlayedFileByFileAndAScenarioWithWhatItExpects() {
        var plays = new Plays(
                null,
                files(Map.of(
                        "config/samples/a/10.FakeGpu.yaml",
                        FAKE_GPU,
                        "config/samples/a/20.Pod.yaml",
                        CLAIM + "---\n" + POD,
                        "config/samples/b.scenario.yaml",
                        SCENARIO.replace("files", "a"))));

        Comparison sample = plays.play("config/samples/a", "");
        assertThat(sample.worlds()).containsExactly("");
        assertThat(sample.steps()).extracting(Comparison.Step::title).containsExactly("10.FakeGpu.yaml", "20.Pod.yaml");
        assertThat(gpu(sample.steps().get(0).pictures().get(0)).mode()).isEqualTo("idle");
        assertThat(gpu(sample.steps().get(1).pictures().get(0)).mode()).isEqualTo("whole");

        Comparison scenario = plays.play("config/samples/b.scenario.yaml", "policy");
        assertThat(scenario.steps()).hasSize(1);
        Check met = new Check(true, "pod train is Running");
        assertThat(scenario.steps().get(0).checks()).containsExactly(List.of(met), List.of(met));
    }

    @Test
    void aShorterWorldStaysAsItIsAtItsEnd() throws IOException {
        var devices = Play.steps(List.of(json(FAKE_GPU)));
        var all = Play.steps(List.of(json(POD), json(CLAIM), json(FAKE_GPU)));
        Comparison played = new Play(
                        "two",
                        List.of(
                                new Play.World("short", SimulationOptions.DEFAULT, devices),
                                new Play.World("long", SimulationOptions.DEFAULT, all)))
                .play();

        assertThat(played.steps())
                .extracting(Comparison.Step::title)
                .containsExactly("apply fakegpu/a100", "apply pod/train", "apply resourceclaim/train");
        List<Dashboard> last = played.steps().get(2).pictures();
        assertThat(gpu(last.get(0)).mode()).isEqualTo("idle");
        assertThat(gpu(last.get(1)).mode()).isEqualTo("whole");
    }

    @Test
    void unknownPlaysAreRefused() {
        var plays = new Plays(null, files(Map.of("config/samples/a/10.FakeGpu.yaml", FAKE_GPU)));

        assertThatThrownBy(() -> plays.play("config/samples/b", ""))
                .hasMessage("there is no scenario \"config/samples/b\"");
        assertThatThrownBy(() -> plays.play("config/samples/a", "weather"))
                .hasMessage("worlds: \"weather\" is not known; allowed: [gate, policy, version]");
    }
}
