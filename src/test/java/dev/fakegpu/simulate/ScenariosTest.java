package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.simulate.scenario.ScenarioRun.StepResult;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plays the scenarios of {@code test-e2e/scenarios}, {@code docs/stuck} and {@code src/test/resources/stuck} in memory, with the companion and the simulated kube-scheduler.
 * All sources that say why a pod waits must say the same.
 */
class ScenariosTest {

    static Stream<ScenarioFile> scenarios() {
        return Stream.of(
                        ScenarioFile.all(),
                        ScenarioFile.ofStuckPods(),
                        ScenarioFile.ofMistakes(),
                        ScenarioFile.ofDevicesThatTakeResources())
                .flatMap(each -> each);
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void everyExpectationIsMet(ScenarioFile scenario) {
        assertThat(scenario.expectations()).isPositive();

        scenario.play(new OneSentence(SimulationOptions.DEFAULT.with(Schedulers.KUBE)));
    }

    /** The clusters in which groups are ignored; the companion reads them from the annotations of 1.36. */
    static Stream<Arguments> worlds() {
        var now = SimulationOptions.DEFAULT.with(Schedulers.KUBE);
        ScenarioFile ofCompanion = ScenarioFile.ofKep(AllocatorName.Companion);
        ScenarioFile ofKubeScheduler = ScenarioFile.ofKep(AllocatorName.KubeScheduler);
        return Stream.of(
                Arguments.of(ofCompanion, now.with(GroupsGate.OFF)),
                Arguments.of(ofKubeScheduler, now.with(GroupsGate.OFF)),
                Arguments.of(ofKubeScheduler, now.with(KubernetesVersion.V1_36)));
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void sourcesAgreeWhereGroupsAreIgnored(ScenarioFile scenario, SimulationOptions options) {
        List<StepResult> results = scenario.playAnyhow(new OneSentence(options));

        assertThat(results).flatExtracting(StepResult::checks).anyMatch(check -> !check.passed());
    }
}
