package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ProjectFiles;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each line of "What differs" in {@code docs/tools.md} has a scenario in {@code src/test/resources/what-differs}, which shows the behavior
 * of the simulation. The first lines of the scenario describe the behavior of a real cluster.
 */
class WhatDiffersTest {

    private static final Pattern LINE = Pattern.compile("(?m)^- \\*\\*(.+?)\\*\\*");

    static Stream<ScenarioFile> scenarios() {
        return ScenarioFile.ofDifferences();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void theSimulationDoesWhatTheLineSays(ScenarioFile scenario) {
        assertThat(scenario.expectations()).isPositive();

        scenario.play(new Simulation(SimulationOptions.DEFAULT.with(Schedulers.KUBE)));
    }

    @Test
    void eachLineHasAScenario() {
        String page = ProjectFiles.read(ProjectFiles.resolve("docs/tools.md"));
        String section = page.split("\n### What differs\n", 2)[1].split("\n#", 2)[0];
        List<String> lines =
                LINE.matcher(section).results().map(WhatDiffersTest::fileName).toList();

        assertThat(scenarios().map(ScenarioFile::name)).containsExactlyInAnyOrderElementsOf(lines);
    }

    private static String fileName(MatchResult line) {
        return line.group(1).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    }
}
