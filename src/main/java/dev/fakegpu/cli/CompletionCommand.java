package dev.fakegpu.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fakegpu completion}: prints a script that lets a shell complete commands and options. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = {
            "Print a shell script that completes commands and options.",
            "bash and zsh: source <(fakegpu completion bash). fish: fakegpu completion fish | source."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  fakegpu completion bash > fakegpu.bash"})
final class CompletionCommand implements Runnable {

    private static final String PROGRAM = "fakegpu";

    private enum Shell {
        bash,
        zsh,
        fish
    }

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    @SuppressWarnings("NullAway.Init") // it is required
    private Shell shell;

    @Override
    public void run() {
        CommandLine root = FakeGpuCommand.commandLine(); // that of the arguments lacks some options
        PrintWriter out = spec.commandLine().getOut();
        if (shell == Shell.fish) {
            fish(root).forEach(out::println);
        } else {
            out.println(AutoComplete.bash(PROGRAM, root));
        }
        out.flush();
    }

    private static List<String> fish(CommandLine root) {
        var lines = new ArrayList<String>();
        root.getSubcommands().forEach((name, command) -> {
            CommandSpec commandSpec = command.getCommandSpec();
            lines.add("complete -c %s -n __fish_use_subcommand -f -a %s -d %s"
                    .formatted(
                            PROGRAM,
                            name,
                            quoted(first(commandSpec.usageMessage().description()))));
            commandSpec.options().stream()
                    .filter(option -> !option.hidden())
                    .forEach(option -> lines.add("complete -c %s -n '__fish_seen_subcommand_from %s'%s -d %s"
                            .formatted(PROGRAM, name, names(option), quoted(first(option.description())))));
        });
        return lines;
    }

    private static String names(OptionSpec option) {
        var text = new StringBuilder();
        for (String name : option.names()) {
            text.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
        }
        if (option.arity().max() > 0) {
            text.append(" -r");
        }
        if (option.completionCandidates() != null) {
            var candidates = new ArrayList<String>();
            option.completionCandidates().forEach(candidates::add);
            text.append(candidates.isEmpty() ? "" : " -f -a " + quoted(String.join(" ", candidates)));
        }
        return text.toString();
    }

    private static String first(String[] description) {
        String text = description.length == 0 ? "" : description[0];
        int end = text.indexOf(". ");
        return (end < 0 ? text : text.substring(0, end))
                .replace("%n", " ")
                .replaceAll("\\$\\{[^}]*}", "")
                .strip();
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
