package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;

/** Tests properties that all commands have. */
class CommandHelpTest {

    private record Result(int exit, String out, String err) {}

    private static Result run(CommandLine program, String... args) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exit = program.setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(args);
        return new Result(exit, out.toString(), err.toString());
    }

    /** Created once, for tests that do not change it. */
    private static final CommandLine PROGRAM = FakeGpuCommand.commandLine();

    static List<String> commands() {
        return HelpExample.commands(PROGRAM).stream()
                .map(CommandLine::getCommandName)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpHasExamplesAndExitCodes(String command) {
        Result result = run(PROGRAM, command, "--help");

        assertThat(result.exit()).isZero();
        assertThat(result.err()).isEmpty();
        assertThat(result.out())
                .contains("\nExit codes:\n", "\nExamples:\n", "-v, --verbose")
                .doesNotContain("\033");
        assertThat(result.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120));
        assertThat(HelpExample.of(PROGRAM.getSubcommands().get(command)))
                .isNotEmpty()
                .allSatisfy(example -> PROGRAM.parseArgs(example.args().toArray(String[]::new)));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void anUnknownOptionIsReportedOnStandardErrorWithADocumentedCode(String command) {
        Result result = run(PROGRAM, command, "--no-such-option");

        assertThat(result.out()).isEmpty();
        assertThat(result.err()).isNotBlank();
        assertThat(exitCode(command, result.exit())).contains("invalid");
    }

    /** The usage would scroll the error off the screen. */
    @Test
    void aWrongOptionIsReportedInAFewLines() {
        assertThat(run(PROGRAM, "explain", "pod", "x", "--wat").err().lines())
                .containsExactly("fakegpu: Unknown option: '--wat'", "See fakegpu explain --help");
        assertThat(run(PROGRAM, "explane").err().lines())
                .containsExactly(
                        "fakegpu: Unmatched argument at index 0: 'explane'",
                        "Did you mean: fakegpu explain or fakegpu flatten or fakegpu simulate?",
                        "See fakegpu --help");
        assertThat(run(PROGRAM, "simulate", "--kubernetes", "1.38", "-f", "x").err())
                .startsWith("fakegpu: Invalid value for option '--kubernetes': expected one of [1.34, 1.35, 1.36, 1.37]"
                        + " but was '1.38'");
    }

    @Test
    void withoutACommandTheHelpListsTheCommands() {
        Result result = run(PROGRAM);

        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err()).startsWith("Usage: fakegpu").contains("simulate");
    }

    private static String exitCode(String command, int code) {
        return String.valueOf(PROGRAM.getSubcommands()
                .get(command)
                .getCommandSpec()
                .usageMessage()
                .exitCodeList()
                .get(String.valueOf(code)));
    }

    @Test
    void theTableOfCommandsHasTheirOptions() throws IOException {
        List<String[]> rows = Files.readString(ProjectFiles.resolve("docs/tools.md"))
                .lines()
                .dropWhile(line -> !line.startsWith("| command | reads a cluster"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.split("\\s*\\|\\s*", -1))
                .toList();

        assertThat(rows).hasSizeGreaterThan(5);
        for (String[] row : rows) {
            for (String name : row[1].replace("`", "").split(", ")) {
                Map<String, OptionSpec> options =
                        PROGRAM.getSubcommands().get(name).getCommandSpec().optionsMap();
                assertThat(options.containsKey("--kubeconfig")).as(name).isEqualTo(!row[2].isEmpty());
                assertThat(options.containsKey("-n")).as(name).isEqualTo(!row[3].isEmpty());
                assertThat(options.containsKey("-A")).as(name).isEqualTo(!row[4].isEmpty());
            }
        }
    }

    @Command(name = "fail")
    private static final class Failing implements Callable<Integer> {
        @Override
        public Integer call() {
            throw new IllegalStateException("on purpose");
        }
    }

    private static CommandLine withFailingCommand() {
        CommandLine program = FakeGpuCommand.commandLine();
        return program.addSubcommand(new Failing())
                .setExecutionExceptionHandler(program.getExecutionExceptionHandler());
    }

    @Test
    void anUnexpectedErrorIsOneLineWithoutVerbose() {
        Result result = run(withFailingCommand(), "fail");

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err().lines())
                .containsExactly(
                        "fakegpu: unexpected error: java.lang.IllegalStateException: on purpose (-v prints where)");
    }

    @Test
    void verbosePrintsWhereAnErrorWas() {
        Result result = run(withFailingCommand(), "-v", "fail");

        assertThat(result.err()).contains("\tat dev.fakegpu.cli.CommandHelpTest$Failing.call(");
    }
}
