package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cli.input.SimulationInput;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class SimulatedWorldsTest {

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
