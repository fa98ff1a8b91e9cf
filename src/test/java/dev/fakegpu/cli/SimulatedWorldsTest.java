package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fakegpu.cli.input.SimulationInput;
import dev.fakegpu.simulate.Schedulers;
import dev.fakegpu.simulate.scenario.ScenarioManifest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class SimulatedWorldsTest {

    @ParameterizedTest
    @CsvSource({"'', KUBE, ''", "kube, KUBE, ''", "companion, COMPANION, a scenario names another scheduler"})
    void theSchedulerIsThatOfTheOptionOrElseOfTheScenario(String option, Schedulers expected, String note) {
        var notes = new ArrayList<String>();
        String[] options = option.isEmpty() ? new String[0] : new String[] {"--scheduler", option};
        var scenario = new ScenarioManifest(Schedulers.KUBE, List.of());

        var worlds = populated(options)
                .of((mixins, version, given) -> new SimulationInput(List.of(), List.of(scenario)), notes::add);

        assertThat(worlds.get(0).options().schedulers()).isEqualTo(expected);
        assertThat(notes).hasSize(note.isEmpty() ? 0 : 1);
        assertThat(String.join("", notes)).startsWith(note);
    }

    /** Like the program, which takes names of options in any case. */
    private static SimulatedWorlds populated(String... options) {
        var worlds = new SimulatedWorlds();
        new CommandLine(CommandLine.Model.CommandSpec.create()
                        .addMixin("worlds", CommandLine.Model.CommandSpec.forAnnotatedObject(worlds)))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs(options);
        return worlds;
    }

    @Test
    void scenariosWithDifferentSchedulersAreNotPlayedTogether() {
        var scenarios = Stream.of(Schedulers.values())
                .map(scheduler -> new ScenarioManifest(scheduler, List.of()))
                .toList();

        assertThatThrownBy(() -> populated()
                        .of((mixins, version, given) -> new SimulationInput(List.of(), scenarios), note -> {}))
                .hasMessageContaining("different schedulers");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gate=On,Off", "version=1.36,1.37", "mixins=On,Off"})
    void eachNoteIsGivenOnce(String compared) {
        var notes = new ArrayList<String>();
        var worlds = CommandLine.populateCommand(new SimulatedWorlds(), "--compare", compared);

        worlds.of(
                (mixins, version, given) -> {
                    given.accept("note: a field is dropped");
                    return new SimulationInput(List.of(), List.of());
                },
                notes::add);

        assertThat(notes).containsExactly("note: a field is dropped");
    }
}
