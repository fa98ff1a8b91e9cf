package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Tests that a command line without the options of other commands has the same results as a complete one. */
class SubcommandsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--help",
                "help explain",
                "--help who",
                "explian",
                "diff --nothing",
                "completion fish",
                "__complete who --fr",
                "__complete help"
            })
    void commandAnswersAsWithTheOptionsOfAllCommands(String line) {
        String[] args = line.isEmpty() ? new String[0] : line.split(" ");

        assertThat(answer(FakeGpuCommand.commandLineFor(args), args))
                .isEqualTo(answer(FakeGpuCommand.commandLine(), args))
                .isNotBlank();
    }

    private static String answer(CommandLine commands, String... args) {
        var text = new StringWriter();
        var out = new PrintWriter(text);
        int exit = commands.setOut(out).setErr(out).execute(args);
        return text + "exit code " + exit;
    }
}
