package dev.fakegpu.cli;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * An example in the help of a command.
 *
 * @param line the example as it is printed
 * @param args the arguments, without the program's name
 * @param output the file to which the shell writes the output
 */
record HelpExample(String line, List<String> args, Optional<String> output) {

    private static final String PROGRAM = "fakegpu ";
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    /** The examples in the help of a command. */
    static List<HelpExample> of(CommandLine command) {
        String help = command.getUsageMessage(Ansi.OFF);
        int start = help.indexOf("\nExamples:\n");
        return start < 0
                ? List.of()
                : help.substring(start)
                        .lines()
                        .map(String::strip)
                        .filter(line -> line.startsWith(PROGRAM))
                        .map(HelpExample::of)
                        .toList();
    }

    private static HelpExample of(String line) {
        String[] parts = line.substring(PROGRAM.length()).split(" > ", 2);
        List<String> args = WORD.matcher(parts[0])
                .results()
                .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
                .toList();
        return new HelpExample(line, args, Stream.of(parts).skip(1).findFirst());
    }

    /** The commands that users see, by name. */
    static List<CommandLine> commands(CommandLine program) {
        return program.getSubcommands().entrySet().stream()
                .filter(command ->
                        !command.getValue().getCommandSpec().usageMessage().hidden())
                .filter(command -> !command.getKey().equals("help"))
                .map(Map.Entry::getValue)
                .toList();
    }
}
