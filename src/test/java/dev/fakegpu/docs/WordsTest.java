package dev.fakegpu.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.PageBlock;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tests that replaced phrases do not come back into pages and messages. */
class WordsTest {

    /** Phrases that are wrong everywhere. */
    private static final Pattern REPLACED = Pattern.compile(
            "(?i)\\b(?:nobody|somebody|everybody|anybody|whoever|goes on|at present|anew|for ever|mend(?:s|ed|ing)?|misspelt"
                    + "|licences?|colours?|behaviour|catalogues?|normalis\\w+|modelled|(?<!there )is no (?!longer|device ever)\\w+)\\b");

    /** Phrases that are wrong only in pages; messages have some of them where they are right. */
    private static final Pattern REPLACED_IN_PAGES = Pattern.compile(
            "(?i)\\b(?:this page answers|read on:|(?<!#)whatever|no one|not to be edited|processor time|as it stands|(?:can|may) be had"
                    + "|nodes of KWOK|of yours|in (?:its|their) own words|tells? of)");

    /** Comments, characters, text blocks and strings; the last two have groups. */
    private static final Pattern TOKEN = Pattern.compile(
            "(?s)/\\*.*?\\*/|//[^\\n]*|'(?:[^'\\\\]|\\\\.)'|\"\"\"(.*?)\"\"\"|\"((?:[^\"\\\\]++|\\\\.)*+)\"");

    /** Classes whose output has the same wording as events. */
    private static final List<String> OF_EVENTS =
            List.of("engine/explain/finding/Sentence.java", "cluster/pending/ReportText.java");

    @Test
    void messagesHaveNoneOfThePhrases() throws IOException {
        try (Stream<Path> files = Files.walk(ProjectFiles.resolve("src/main/java/dev/fakegpu"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".java"))
                            .filter(file -> OF_EVENTS.stream().noneMatch(file::endsWith)))
                    .hasSizeGreaterThan(500)
                    .allSatisfy(file -> assertThat(found(REPLACED, texts(ProjectFiles.read(file))))
                            .isEmpty());
        }
    }

    private static String texts(String source) {
        return TOKEN.matcher(source)
                .results()
                .flatMap(token -> Stream.of(token.group(1), token.group(2)))
                .filter(Objects::nonNull)
                .collect(Collectors.joining("\n"));
    }

    @TestFactory
    Stream<DynamicTest> pagesHaveNoneOfThePhrases() {
        return Stream.concat(Stream.of("CHANGELOG.md"), PageBlock.pages().stream())
                .map(page -> DynamicTest.dynamicTest(
                        page,
                        () -> assertThat(Stream.of(REPLACED, REPLACED_IN_PAGES)
                                        .flatMap(words -> found(words, PageBlock.proseOf(page)).stream()))
                                .isEmpty()));
    }

    private static List<String> found(Pattern words, String text) {
        return words.matcher(text).results().map(MatchResult::group).toList();
    }
}
