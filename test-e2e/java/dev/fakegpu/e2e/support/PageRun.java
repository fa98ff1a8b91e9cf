package dev.fakegpu.e2e.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.DocsExamples;
import dev.fakegpu.testing.DocsExamples.Block;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The marked commands of a page (see {@link DocsExamples}), in one shell, in the root of the project. Each must succeed, and print what the
 * page shows, if it shows anything; {@code …} there stands for any text, and any number of blanks for another.
 */
public final class PageRun {

    private static final String PROMPT = "$ ";
    private static final String MARK = "@@@";
    private static final String PRELUDE = """
            set -euo pipefail
            kubectl() { hack/kubernetes/kubectl "$@"; }
            """;

    private final List<Block> blocks;
    private final Map<String, String> replacements = new LinkedHashMap<>();
    private final Map<String, String> environment = new HashMap<>();
    private final Map<String, Integer> exitCodes = new HashMap<>();
    private String cleanup = "true";

    /** A command, and what the page shows below it. */
    private record Command(String line, List<String> shown) {}

    private PageRun(List<Block> blocks) {
        this.blocks = blocks;
    }

    public static PageRun of(String page) {
        var blocks = DocsExamples.of(page);
        assertThat(blocks).as("marked blocks of " + page).isNotEmpty();
        return new PageRun(blocks);
    }

    /** Some of the page's blocks only. */
    public PageRun blocks(int from, int to) {
        return new PageRun(blocks.subList(from, to));
    }

    public int size() {
        return blocks.size();
    }

    /** What is run where the page says something that a test must not touch, such as a directory of the user. */
    public PageRun replacing(String text, String replacement) {
        replacements.put(text, replacement);
        return this;
    }

    /** Commands that begin like this must end with this code. */
    public PageRun exits(String command, int code) {
        exitCodes.put(command, code);
        return this;
    }

    /** What is run at the end, also of a page that fails before it has removed what it started. */
    public PageRun cleaningUp(String command) {
        cleanup = command;
        return this;
    }

    public PageRun with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Programs in the directory come first. */
    public PageRun withPath(Path directory) {
        return with("PATH", directory + ":" + System.getenv("PATH"));
    }

    /** @param dir for the files that the reader saves */
    public void succeeds(Path dir) {
        try {
            var commands = new ArrayList<Command>();
            for (Block block : blocks) {
                if (block.name().equals(DocsExamples.COMMAND)) {
                    commands.addAll(commands(block.text()));
                } else {
                    Files.writeString(dir.resolve(block.name()), block.text());
                    replacing(block.name(), dir.resolve(block.name()).toString());
                }
            }
            List<String> printed = outputs(run(script(commands), dir));
            for (int i = 0; i < commands.size(); i++) {
                assertShown(commands.get(i), printed.get(i));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Command> commands(String text) {
        var commands = new ArrayList<Command>();
        for (String line : text.lines().toList()) {
            if (line.startsWith(PROMPT)) {
                commands.add(new Command(line.substring(PROMPT.length()), new ArrayList<>()));
            } else {
                commands.get(commands.size() - 1).shown().add(line);
            }
        }
        return commands;
    }

    private String script(List<Command> commands) {
        // What runs in the background would outlive a page that fails.
        String trap = "trap '{ kill $(jobs -p) || true; %s || true; } >/dev/null 2>&1' EXIT%n".formatted(cleanup);
        return commands.stream()
                .map(command -> "echo; echo %s%n%s%n".formatted(MARK, checked(command.line())))
                .collect(Collectors.joining("", PRELUDE + trap, ""));
    }

    private String checked(String line) {
        String replaced = replaced(line);
        return exitCodes.entrySet().stream()
                .filter(expected -> line.startsWith(expected.getKey()))
                .findFirst()
                .map(expected ->
                        "{ %s; code=$?; } || code=$?; [[ $code == %d ]]".formatted(replaced, expected.getValue()))
                .orElse(replaced);
    }

    private String replaced(String line) {
        String result = line;
        for (var replacement : replacements.entrySet()) {
            result = result.replace(replacement.getKey(), replacement.getValue());
        }
        return result;
    }

    private String run(String script, Path dir) throws IOException {
        var builder = new ProcessBuilder("bash", "-c", script).redirectErrorStream(true);
        builder.directory(ProjectFiles.resolve("pom.xml").getParent().toFile());
        builder.environment().putAll(environment);
        // Not a pipe: what the page starts in the background would keep it open.
        Path output = Files.createTempFile(dir, "page", ".log");
        builder.redirectOutput(output.toFile());
        var process = builder.start();
        process.getOutputStream().close();
        int exitCode = process.onExit().join().exitValue();
        String printed = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(exitCode).as(printed).isZero();
        return printed;
    }

    private static List<String> outputs(String printed) {
        var parts = List.of(printed.split("\n" + MARK + "\n", -1));
        return parts.subList(1, parts.size());
    }

    private static void assertShown(Command command, String printed) {
        if (!command.shown().isEmpty()) {
            String pattern = command.shown().stream()
                    .map(PageRun::pattern)
                    .collect(Collectors.joining("\\s*\n", "(?s)\\s*", "\\s*"));
            assertThat(printed).as(command.line()).matches(pattern);
        }
    }

    private static String pattern(String line) {
        return Pattern.compile("\\s+|…")
                .matcher(Pattern.quote(line))
                .replaceAll(match -> "\\\\E" + (match.group().equals("…") ? ".*" : "\\\\s+") + "\\\\Q");
    }
}
