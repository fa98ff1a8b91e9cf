package dev.fakegpu.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.DocsExamples;
import dev.fakegpu.testing.DocsManifests;
import dev.fakegpu.testing.PageBlock;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tests that every code block of every page is of a kind that is run or checked. {@code docs/development/pages.md} lists the kinds. */
class DocsBlocksTest {

    /** Pages, or directories of pages, that a program writes. */
    private static final Map<String, String> GENERATED =
            Map.of("docs/evidence/", "Kep5963Report", "docs/referee.md", "RefereeReport");

    /** Directories whose pages a test lists. */
    private static final Map<String, String> RUN_FOLDERS = Map.of("config/samples/", "SamplesE2E");

    /** Marks that name a file beside the test's cases, and the test that compares it with the page. */
    private static final Map<String, String> GOLDEN =
            Map.of("docs/tools.md", "CommandGoldenTest", "docs/stuck/", "StuckPodsDocsTest");

    /** All reasons why a block may not be run. */
    private static final Set<String> EXCEPTIONS = Set.of(
            "it runs tests",
            "its names differ each time",
            "needs a kubelet",
            "needs a registry",
            "needs a release",
            "needs an older Kubernetes");

    private static final Set<String> LANGUAGES_OF_COMMANDS = Set.of("console", PageBlock.COMMANDS_ONLY);
    private static final String NOT_RUN = "not run: ";

    /** The sources of tests, by name. */
    private static Map<String, String> tests = Map.of();

    @BeforeAll
    static void readTests() {
        tests = Stream.of("src/test/java", "src/evidence/java", "test-e2e/java")
                .flatMap(DocsBlocksTest::sources)
                .collect(Collectors.toMap(DocsBlocksTest::name, ProjectFiles::read, (one, other) -> one + other));
    }

    @TestFactory
    Stream<DynamicTest> everyBlockIsRunOrChecked() {
        return PageBlock.pages().stream()
                .map(page -> DynamicTest.dynamicTest(
                        page, () -> assertThat(problems(page)).isEmpty()));
    }

    private static List<String> problems(String page) {
        return PageBlock.of(page).stream()
                .flatMap(block -> problem(block).map(problem -> block.where() + ": " + problem).stream())
                .toList();
    }

    @Test
    void noExceptionIsLeftOver() {
        var used = PageBlock.pages().stream()
                .flatMap(page -> PageBlock.of(page).stream())
                .filter(block -> block.mark().startsWith(NOT_RUN))
                .map(block -> block.mark().substring(NOT_RUN.length()))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(used).isEqualTo(new TreeSet<>(EXCEPTIONS));
    }

    /** The problem of a block; empty if the block is run or checked. */
    private static Optional<String> problem(PageBlock block) {
        if (block.language().equals(PageBlock.INDENTED)) {
            return Optional.of("a block needs ``` and, above it, a comment that says what checks it");
        }
        String mark = block.mark();
        int space = mark.indexOf(' ');
        String kind = space < 0 ? mark : mark.substring(0, space);
        String rest = mark.substring(space + 1);
        return switch (kind) {
            case "command", "command:" -> unless(isCommands(block) && isRun(block), "no test runs it");
            case "file:" -> unless(isRun(block) || isChecked(block), "no test runs this page");
            case "quote" -> unless(isQuote(block, rest.substring("of ".length())), "it is not in " + rest);
            case "checked" -> unless(mentions(rest.substring("by ".length()), block.page()), "no test names this page");
            case "run" -> unless(isRunBy(block, rest.substring("by ".length())), "not all commands are in " + rest);
            case "not" -> unless(EXCEPTIONS.contains(mark.substring(NOT_RUN.length())), "allowed: " + EXCEPTIONS);
            case "drawing" -> unless(block.language().isEmpty(), "a drawing has no language");
            default -> unless(isChecked(block), "a comment above it has to say what runs or checks it");
        };
    }

    private static Optional<String> unless(boolean isFine, String problem) {
        return isFine ? Optional.empty() : Optional.of(problem);
    }

    private static boolean isCommands(PageBlock block) {
        return LANGUAGES_OF_COMMANDS.contains(block.language());
    }

    /** A test that runs a page contains its path, followed by the name of the part. */
    private static boolean isRun(PageBlock block) {
        String part = DocsExamples.part(block);
        var call = Pattern.compile(
                part.isEmpty()
                        ? Pattern.quote('"' + block.page() + '"') + "(?!, \")"
                        : Pattern.quote("\"%s\", \"%s\"".formatted(block.page(), part)));
        return named(RUN_FOLDERS, block.page()).isPresent()
                || tests.values().stream()
                        .anyMatch(test ->
                                test.contains("PageRun") && call.matcher(test).find());
    }

    private static boolean isChecked(PageBlock block) {
        return named(GENERATED, block.page())
                .or(() ->
                        named(GOLDEN, block.page()).filter(test -> block.mark().contains(".")))
                .map(tests::containsKey)
                .orElseGet(() -> !DocsManifests.of(block).isEmpty());
    }

    private static Optional<String> named(Map<String, String> pages, String page) {
        return pages.keySet().stream().filter(page::startsWith).findFirst().map(pages::get);
    }

    /** @param checker the name of a test, or the path of a script */
    private static boolean mentions(String checker, String page) {
        String source = checker.contains("/")
                ? ProjectFiles.read(ProjectFiles.resolve(checker))
                : tests.getOrDefault(checker, "");
        return source.contains(page);
    }

    /** The file contains all lines that are not commands, in the same order; {@code …} matches any text. */
    private static boolean isQuote(PageBlock block, String file) {
        String text = words(block.text().replaceAll("(?m)^\\$ .*\n", ""));
        String source = words(ProjectFiles.read(ProjectFiles.resolve(file))
                .replaceAll("\"\\s*\\+\\s*\"", "")
                .replace("\\\"", "\""));
        return Stream.of(text.split("…")).map(String::strip).allMatch(source::contains);
    }

    private static String words(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }

    /** The script runs each command with at least these arguments. */
    private static boolean isRunBy(PageBlock block, String script) {
        String source = ProjectFiles.read(ProjectFiles.resolve(script)).replace("\"${MVN[@]}\"", "mvn");
        return isCommands(block)
                && block.text()
                        .lines()
                        .map(line -> line.replaceAll("\\s*#.*", ""))
                        .allMatch(line -> source.contains(line));
    }

    private static Stream<Path> sources(String folder) {
        try (Stream<Path> files = Files.walk(ProjectFiles.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(Path source) {
        return String.valueOf(source.getFileName()).replace(".java", "");
    }
}
