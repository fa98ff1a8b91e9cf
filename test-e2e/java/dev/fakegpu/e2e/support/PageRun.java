package dev.fakegpu.e2e.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.DocsExamples;
import dev.fakegpu.testing.DocsExamples.Block;
import dev.fakegpu.testing.Patience;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Runs the marked commands of a page (see {@link DocsExamples}) in one shell, in the root directory of the project. They run as they are
 * written, with these exceptions: {@code kubectl} and {@code fakegpu} are those of {@code hack}, {@code kubectl wait} waits as long as
 * tests do, and tests make changes with the methods of this class. Each command must succeed, and print the output on the page, if there is
 * any; in the output, {@code …} matches any text, white space may differ, and a time such as {@code 2s} matches other times.
 */
public final class PageRun {

    private static final String PROMPT = "$ ";
    private static final String MARK = "@@@";
    private static final Pattern VARIABLE = Pattern.compile("\\s*…\\s*|\\s+|\\b\\d+[hms]\\b");
    private static final String PRELUDE = """
            set -euo pipefail
            ROOT=$PWD
            kubectl() {
              if [[ ${1-} == wait ]]; then set -- "$@" --timeout=%ds; fi
              "$ROOT/hack/kubernetes/kubectl" "$@"
            }
            fakegpu() { "$ROOT/hack/fakegpu" "$@"; }
            """.formatted(Patience.LIMIT.toSeconds());

    private final List<Block> blocks;
    private final Map<String, String> replacements = new LinkedHashMap<>();
    private final Map<String, String> environment = new HashMap<>();
    private final Map<String, Integer> exitCodes = new HashMap<>();
    private final Map<String, String> untils = new HashMap<>();
    private final Map<String, String> files = new LinkedHashMap<>();
    private String preparation = "true";
    private String cleanup = "true";

    /** A command, and what the page shows below it. */
    private record Command(String line, List<String> shown) {}

    private PageRun(List<Block> blocks) {
        this.blocks = blocks;
    }

    /**
     * The commands of a page, or of a part of it.
     *
     * @param part the name of the part; without one, the commands that belong to no part
     */
    public static PageRun of(String page, String... part) {
        String wanted = String.join("", part);
        var blocks = DocsExamples.of(page).stream()
                .filter(block -> !block.isCommand() || block.part().equals(wanted))
                .toList();
        assertThat(blocks).as("marked blocks of " + page).anyMatch(Block::isCommand);
        return new PageRun(blocks);
    }

    /** Runs only some of the page's blocks. */
    public PageRun blocks(int from, int to) {
        return new PageRun(blocks.subList(from, to));
    }

    public int size() {
        return blocks.size();
    }

    /** A command that runs before the page's first command, for example to create objects that the page requires. */
    public PageRun after(String command) {
        preparation = command;
        return this;
    }

    /** A file that the page names and the reader has. */
    public PageRun given(String name, String path) {
        files.put(name, ProjectFiles.resolve(path).toString());
        return this;
    }

    /** Replaces text of the page that a test must not run, such as a directory of the user. */
    public PageRun replacing(String text, String replacement) {
        replacements.put(text, replacement);
        return this;
    }

    /** Commands with this prefix must end with this code. */
    public PageRun exits(String command, int code) {
        exitCodes.put(command, code);
        return this;
    }

    /** A command with this prefix runs until the page ends. The next command runs as soon as {@code until} succeeds. */
    public PageRun inBackground(String command, String until) {
        untils.put(command, until);
        return this;
    }

    /** A command that runs at the end, even if the page fails before it has removed what it started. */
    public PageRun cleaningUp(String command) {
        cleanup = command;
        return this;
    }

    public PageRun with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Programs in the directory take precedence. */
    public PageRun withPath(Path directory) {
        return with("PATH", directory + ":" + System.getenv("PATH"));
    }

    /** @param dir the directory for files that the reader saves */
    public void succeeds(Path dir) {
        try {
            var commands = new ArrayList<Command>();
            for (Block block : blocks) {
                if (block.isCommand()) {
                    commands.addAll(commands(block.text()));
                } else {
                    Path file = Files.writeString(dir.resolve(block.name()), block.text());
                    files.put(block.name(), file.toString());
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
        // Otherwise background commands would survive a page that fails.
        String trap = "trap '{ kill $(jobs -p) || true; %s || true; } >/dev/null 2>&1' EXIT%n".formatted(cleanup);
        return commands.stream()
                .map(command -> "echo; echo %s%n%s%n".formatted(MARK, checked(command.line())))
                .collect(Collectors.joining("", PRELUDE + trap + preparation + "\n", ""));
    }

    private String checked(String line) {
        String replaced = withoutComment(replaced(line));
        for (var until : untils.entrySet()) {
            if (line.startsWith(until.getKey())) {
                return "%s & until %s; do sleep 0.2; done".formatted(replaced, until.getValue());
            }
        }
        return exitCodes.entrySet().stream()
                .filter(expected -> line.startsWith(expected.getKey()))
                .findFirst()
                .map(expected ->
                        "{ %s; code=$?; } || code=$?; [[ $code == %d ]]".formatted(replaced, expected.getValue()))
                .orElse(replaced);
    }

    private static String withoutComment(String line) {
        return line.replaceAll(" +# .*", "");
    }

    private String replaced(String line) {
        String result = line;
        for (var replacement : replacements.entrySet()) {
            result = result.replace(replacement.getKey(), replacement.getValue());
        }
        for (var file : files.entrySet()) {
            // Excludes files of the same name in other directories.
            String name = "(?<![\\w./-])" + Pattern.quote(file.getKey()) + "(?![\\w/])";
            result = result.replaceAll(name, Matcher.quoteReplacement(file.getValue()));
        }
        return result;
    }

    private String run(String script, Path dir) throws IOException {
        var builder = new ProcessBuilder("bash", "-c", script).redirectErrorStream(true);
        builder.directory(ProjectFiles.resolve("pom.xml").getParent().toFile());
        builder.environment().putAll(environment);
        // A pipe would be kept open by background commands of the page.
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
            assertThat(printed.strip()).as(command.line()).matches(pattern(String.join("\n", command.shown())));
        }
    }

    private static String pattern(String shown) {
        String pattern = VARIABLE.matcher(Pattern.quote(shown.strip()))
                .replaceAll(match -> Matcher.quoteReplacement("\\E" + patternOf(match.group()) + "\\Q"));
        return "(?s)" + pattern;
    }

    private static String patternOf(String variable) {
        if (variable.strip().equals("…")) {
            return ".*";
        }
        return variable.isBlank() ? "\\s+" : "[0-9hms]+";
    }
}
