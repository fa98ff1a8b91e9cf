package dev.fakegpu.e2e.schedule;

import dev.fakegpu.e2e.support.ClusterExtension;
import dev.fakegpu.simulate.ScenarioFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plays the scenarios that {@code ScenariosTest} plays in memory on a real control plane, where all their expectations must be met, too.
 */
@Tag("long")
class ScenariosE2E {

    @RegisterExtension
    static final ClusterExtension cluster = ClusterExtension.withSchedulerAndControllerManager();

    static Stream<ScenarioFile> scenarios() {
        String wanted = System.getProperty("scenarios", ".*");
        return ScenarioFile.all().filter(scenario -> scenario.name().matches(wanted));
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void expectationsHoldOnARealCluster(ScenarioFile scenario) {
        try (var stage = new ClusterStage(cluster.client())) {
            scenario.play(stage);
        }
    }
}
