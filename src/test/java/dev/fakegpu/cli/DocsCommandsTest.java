package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.DocsExamples;
import dev.fakegpu.testing.PageBlock;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;

/**
 * Tests that every command in pages exists, including those within sentences: subcommands and options of {@code fakegpu}, scripts in {@code
 * hack} and their options, tests and profiles of Maven, and files in arguments of {@code kubectl} and {@code helm}.
 */
class DocsCommandsTest {

    private static final CommandLine PROGRAM = FakeGpuCommand.commandLine();

    private static final Pattern SPAN = Pattern.compile("(?<!`)`([^`\n]+)`(?!`)");
    private static final Pattern FAKEGPU =
            Pattern.compile("(?:^|\\| )(?:hack/fakegpu|kubectl fakegpu|fakegpu) ([a-z][^|>]*)");

    /** Other repositories may have manifests in a directory with this name, too. */
    private static final Pattern SCRIPT =
            Pattern.compile("(?:^|\\$\\()(hack/(?!\\S+\\.yaml)[a-z][\\w./-]*|\\.ci/run)([^|>)]*)");

    private static final Pattern OPTION = Pattern.compile("(?<=\\s)--[a-z][a-z-]*");
    private static final Pattern PATH =
            Pattern.compile("(?<=\\s)(?:-f|-k|--patch-file) ((?:config|crds|deploy|docs|src)\\b[\\w./-]*)");
    private static final Pattern CHART = Pattern.compile("^helm .*?\\b(deploy/\\S+)");
    private static final Pattern TEST = Pattern.compile("-D(?:it\\.)?test='?([\\w.]+)[*']?");
    private static final Pattern PROFILE = Pattern.compile("(?<=\\s)-P([a-z]+)");
    private static final Pattern PLACEHOLDER = Pattern.compile("[A-Z]{2,}|…|<");

    /** The text of scripts that parses options, including that of programs that they start. */
    private static String scripts = "";

    private static List<String> sources = List.of();

    @BeforeAll
    static void readSources() {
        scripts = Stream.of("hack", "test-e2e/java", "src/test/java", "src/main/java/dev/fakegpu/cli")
                .flatMap(DocsCommandsTest::files)
                .map(ProjectFiles::read)
                .collect(Collectors.joining());
        sources = Stream.of("test-e2e/java", "src/test/java")
                .flatMap(DocsCommandsTest::files)
                .map(file -> file.toString().replace('/', '.'))
                .toList();
    }

    @TestFactory
    Stream<DynamicTest> everyCommandExists() {
        return PageBlock.pages().stream()
                .map(page -> DynamicTest.dynamicTest(
                        page, () -> assertThat(problems(page)).isEmpty()));
    }

    private static List<String> problems(String page) {
        return commands(page)
                .flatMap(command -> problemsOf(command.strip()).map(problem -> command + ": " + problem))
                .toList();
    }

    private static Stream<String> commands(String page) {
        Stream<String> inSentences =
                SPAN.matcher(PageBlock.proseOf(page)).results().map(span -> span.group(1));
        Stream<String> inBlocks = PageBlock.of(page).stream()
                .filter(block ->
                        DocsExamples.isCommand(block) || block.language().equals(PageBlock.COMMANDS_ONLY))
                .flatMap(block -> block.text().lines())
                .filter(line -> !line.startsWith(" "))
                .map(line -> line.replaceFirst("^\\$ ", "").replaceFirst(" +# .*", ""));
        return Stream.concat(inSentences, inBlocks);
    }

    private static Stream<String> problemsOf(String command) {
        return Stream.of(
                        found(FAKEGPU, command).flatMap(call -> ofFakegpu(call.group(1))),
                        found(SCRIPT, command).flatMap(call -> ofScript(call.group(1), call.group(2))),
                        found(PATH, command).flatMap(path -> missing(path.group(1))),
                        found(CHART, command).flatMap(path -> missing(path.group(1))),
                        found(TEST, command).flatMap(test -> ofTest(test.group(1))),
                        found(PROFILE, command).flatMap(profile -> ofProfile(profile.group(1))))
                .flatMap(problems -> problems);
    }

    private static Stream<MatchResult> found(Pattern pattern, String command) {
        return pattern.matcher(command).results();
    }

    /** A sentence may show only part of a command, for example without files. */
    private static Stream<String> ofFakegpu(String arguments) {
        try {
            PROGRAM.parseArgs(arguments.strip().split("\\s+"));
            return Stream.of();
        } catch (MissingParameterException e) {
            return Stream.of();
        } catch (ParameterException e) {
            return Stream.of(String.valueOf(e.getMessage()));
        }
    }

    private static Stream<String> ofScript(String script, String arguments) {
        if (!Files.exists(ProjectFiles.resolve("pom.xml").resolveSibling(script))) {
            return Stream.of("there is no " + script);
        }
        if (script.equals("hack/fakegpu")) {
            return Stream.of();
        }
        return found(OPTION, arguments)
                .map(MatchResult::group)
                .filter(option -> !scripts.contains(option))
                .map(option -> "there is no option " + option);
    }

    private static Stream<String> missing(String path) {
        return Optional.of(path)
                .filter(file -> !PLACEHOLDER.matcher(file).find())
                .filter(file -> !Files.exists(ProjectFiles.resolve("pom.xml").resolveSibling(file)))
                .map(file -> "there is no " + file)
                .stream();
    }

    private static Stream<String> ofTest(String test) {
        return sources.stream().anyMatch(source -> source.contains(test))
                ? Stream.of()
                : Stream.of("there is no test " + test);
    }

    private static Stream<String> ofProfile(String profile) {
        return ProjectFiles.read(ProjectFiles.resolve("pom.xml")).contains("<id>" + profile + "</id>")
                ? Stream.of()
                : Stream.of("there is no profile " + profile);
    }

    private static Stream<Path> files(String folder) {
        try (Stream<Path> files = Files.walk(ProjectFiles.resolve(folder))) {
            return files.filter(Files::isRegularFile).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
