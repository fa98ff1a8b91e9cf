package dev.fakegpu.cli;

import dev.fakegpu.cli.input.InvalidInputException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code fakegpu}. */
@Command(
        name = "fakegpu",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Fake GPUs for Kubernetes Dynamic Resource Allocation (DRA).",
            "operator and kubelet-plugin run in or against a cluster; explain, who, topology, metadata, what-if and dashboard read a"
                    + " cluster; check and diff do so with an option. All other commands need no cluster."
        })
final class FakeGpuCommand implements Callable<Integer> {

    /** Wide enough that examples are not broken across lines. */
    private static final int HELP_COLUMNS = 120;

    /** Inherited by all commands. */
    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Also print the stack trace of an error.")
    private boolean verbose;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    /** The command line with all subcommands. */
    static CommandLine commandLine() {
        return commandLine(Subcommands::add);
    }

    /**
     * The command line with the subcommands that these arguments need.
     *
     * @param args the arguments with which it will be executed
     */
    static CommandLine commandLineFor(String... args) {
        return commandLine(root -> Subcommands.addNamed(root, Arrays.asList(args)));
    }

    private static CommandLine commandLine(Consumer<CommandLine> subcommands) {
        var program = new FakeGpuCommand();
        var root = new CommandLine(program);
        subcommands.accept(root);
        CompleteCommand.takeAllWords(root);
        root.setUsageHelpWidth(HELP_COLUMNS);
        root.setCaseInsensitiveEnumValuesAllowed(true);
        root.getSubcommands().values().forEach(FakeGpuCommand::documentExitCodes);
        return root.setParameterExceptionHandler((failure, arguments) -> refuse(failure))
                .setExecutionExceptionHandler((failure, command, parsed) -> program.report(failure, command));
    }

    /** Adds default exit codes to commands that document none. */
    private static void documentExitCodes(CommandLine command) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        usage.exitCodeListHeading("%nExit codes:%n");
        if (usage.exitCodeList().isEmpty()) {
            var codes = new LinkedHashMap<String, String>();
            codes.put("0", "success");
            codes.put("1", "the input is invalid, or there was an unexpected error");
            codes.put("2", "the command line is invalid");
            usage.exitCodeList(codes);
        }
    }

    /** Omits the usage, which would push the error off the screen. */
    private static int refuse(ParameterException failure) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("fakegpu: " + failure.getMessage());
        UnmatchedArgumentException.printSuggestions(failure, err);
        fileNamedWithoutOption(failure).ifPresent(usage -> err.println("To name a file, use an option: " + usage));
        err.println("See " + command.getCommandSpec().qualifiedName() + " --help");
        err.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /** The option for a file that the user gave as an argument, as many programs accept it. */
    private static Optional<String> fileNamedWithoutOption(ParameterException failure) {
        if (!(failure instanceof UnmatchedArgumentException unmatched)) {
            return Optional.empty();
        }
        String argument = unmatched.getUnmatched().get(0);
        CommandSpec command = failure.getCommandLine().getCommandSpec();
        return Stream.of("-f", "--from")
                .filter(option -> argument.matches(".*\\.(ya?ml|json)") && command.findOption(option) != null)
                .findFirst()
                .map(option -> "%s %s %s".formatted(command.qualifiedName(), option, argument));
    }

    private int report(Exception failure, CommandLine command) {
        PrintWriter err = command.getErr();
        if (failure instanceof InvalidInputException invalid) {
            invalid.messages().forEach(message -> err.println("fakegpu: " + message));
        } else {
            err.println("fakegpu: unexpected error: " + failure + (verbose ? "" : " (-v prints where)"));
        }
        if (verbose) {
            failure.printStackTrace(err);
        }
        err.flush();
        return CommandLine.ExitCode.SOFTWARE;
    }

    /** Without a subcommand, prints which ones exist. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return CommandLine.ExitCode.USAGE;
    }
}
