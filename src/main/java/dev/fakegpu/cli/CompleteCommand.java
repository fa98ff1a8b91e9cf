package dev.fakegpu.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fakegpu __complete}: prints candidates for the last word of a command line, in the format that kubectl expects of its plugins. */
@Command(name = "__complete", hidden = true)
final class CompleteCommand implements Runnable {

    /** If there are no candidates, file names are completed: cobra's {@code ShellCompDirectiveDefault}. */
    private static final String FILES = ":0";

    /** Cobra's {@code ShellCompDirectiveNoFileComp}. */
    private static final String NO_FILES = ":4";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before run()
    private CommandSpec spec;

    @Parameters(arity = "0..*")
    private List<String> words = List.of();

    /** Options on the command line are also words to be completed. */
    static void takeAllWords(CommandLine root) {
        Objects.requireNonNull(root.getSubcommands().get("__complete"))
                .setStopAtPositional(true)
                .setUnmatchedOptionsArePositionalParams(true);
    }

    @Override
    public void run() {
        var all =
                new ArrayList<>(spec.commandLine().getParent().getParseResult().originalArgs());
        all.remove(0);
        List<String> ofCluster = ClusterWords.of(all);
        List<String> candidates = ofCluster.isEmpty() ? candidates(spec.root().commandLine(), all) : ofCluster;
        PrintWriter out = spec.commandLine().getOut();
        candidates.forEach(out::println);
        out.println(candidates.isEmpty() ? FILES : NO_FILES);
        out.flush();
    }

    private static List<String> candidates(CommandLine root, List<String> words) {
        String last = words.isEmpty() ? "" : words.get(words.size() - 1);
        var found = new ArrayList<CharSequence>();
        AutoComplete.complete(
                root.getCommandSpec(),
                words.toArray(String[]::new),
                Math.max(0, words.size() - 1),
                last.length(),
                String.join(" ", words).length(),
                found);
        return found.stream()
                .map(candidate -> last + candidate)
                .filter(candidate -> !candidate.startsWith("__"))
                .distinct()
                .sorted()
                .toList();
    }
}
