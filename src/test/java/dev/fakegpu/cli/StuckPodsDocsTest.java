package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;

/**
 * Plays the scenarios in {@code docs/stuck}: their expectations are met, and the page beside each scenario quotes the output of {@code
 * fakegpu simulate}. {@code -Dgolden.update=true} rewrites the quotes and fails, because they need a review.
 */
class StuckPodsDocsTest {

    /** Created once, since that takes longer than most scenarios. */
    private static final CommandLine PROGRAM = FakeGpuCommand.commandLine();

    private static final String FOLDER = "docs/stuck";
    private static final String SCENARIO = ".scenario.yaml";
    private static final Pattern QUOTE =
            Pattern.compile("(<!-- (\\S+)\\.scenario\\.yaml -->\n```\n)(.*?\n)```\n", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("https://github\\.com/\\S+/(?:issues|pull)/\\d+");
    private static final Pattern DATE = Pattern.compile("\\b20\\d\\d-\\d\\d-\\d\\d\\b");
    private static final Pattern ROW =
            Pattern.compile("^\\| \\[[^\\]]+\\]\\((\\S+)\\.md\\) \\|.*\\| (.*?) \\|[^|]*\\|$", Pattern.MULTILINE);
    private static final Pattern CODE = Pattern.compile("`(\\w+)`");
    private static final Pattern WAITS = Pattern.compile("waits(?: on \\S+)?: (\\w+)");

    @TestFactory
    Stream<DynamicTest> pagesQuoteTheOutput() throws IOException {
        return names().stream().map(name -> DynamicTest.dynamicTest(name, () -> check(name)));
    }

    private static void check(String name) throws IOException {
        // Given
        Path scenario = ProjectFiles.resolve(FOLDER + "/" + name + SCENARIO);
        Path page = ProjectFiles.resolve(FOLDER + "/" + name + ".md");

        // When
        var out = new StringWriter();
        int exit = PROGRAM.setOut(new PrintWriter(out))
                .setErr(new PrintWriter(out))
                .execute("simulate", "-f", scenario.toString());

        // Then
        assertThat(exit).as("%s", out).isZero();
        Matcher quote = quote(page);
        assertThat(quote.group(2)).isEqualTo(name);
        if (Boolean.getBoolean("golden.update") && !quote.group(3).contentEquals(out.getBuffer())) {
            String text = Files.readString(page);
            Files.writeString(page, text.substring(0, quote.start(3)) + out + text.substring(quote.end(3)));
            fail(page + " is written anew; review it and run again without golden.update");
        }
        assertThat(out).as("%s", page).hasToString(quote.group(3));
    }

    @Test
    void pagesNameTheReportAndItsDate() throws IOException {
        for (String name : names()) {
            String page = read(name + ".md");
            String link = LINK.matcher(read(name + SCENARIO))
                    .results()
                    .findFirst()
                    .orElseThrow()
                    .group();
            assertThat(page).as(name).contains("(" + link + ")");
            assertThat(DATE.matcher(page).find()).as("date in %s", name).isTrue();
        }
    }

    @Test
    void indexListsEachPageWithItsReasons() throws IOException {
        List<MatchResult> rows = ROW.matcher(read("README.md")).results().toList();
        assertThat(rows).extracting(row -> row.group(1)).containsExactlyElementsOf(names());
        for (MatchResult row : rows) {
            Matcher quote = quote(ProjectFiles.resolve(FOLDER + "/" + row.group(1) + ".md"));
            List<String> said = matches(WAITS, quote.group(3));
            assertThat(matches(CODE, row.group(2))).as(row.group(1)).containsExactlyInAnyOrderElementsOf(said);
        }
    }

    private static Matcher quote(Path page) throws IOException {
        Matcher quote = QUOTE.matcher(Files.readString(page));
        assertThat(quote.find()).as("a quote in %s", page).isTrue();
        return quote;
    }

    private static List<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(match -> match.group(1))
                .distinct()
                .toList();
    }

    private static String read(String file) throws IOException {
        return Files.readString(ProjectFiles.resolve(FOLDER + "/" + file));
    }

    /** The scenarios, by number. */
    private static List<String> names() throws IOException {
        return ProjectFiles.list(FOLDER).stream()
                .map(path -> String.valueOf(path.getFileName()))
                .filter(file -> file.endsWith(SCENARIO))
                .map(file -> file.substring(0, file.length() - SCENARIO.length()))
                .toList();
    }
}
