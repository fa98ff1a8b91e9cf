package dev.fakegpu.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.PageBlock;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Phrases that were replaced once do not come back into pages. */
class WordsTest {

    /** Without those that are right somewhere. */
    private static final Pattern REPLACED = Pattern.compile(
            "(?i)\\b(?:nobody|somebody|whoever|goes on|at present|anew|for ever|mend(?:s|ed|ing)?|misspelt|licences?|colours?|behaviour"
                    + "|catalogues?|normalis\\w+|modelled|(?<!there )is no (?!longer|device ever)\\w+)\\b");

    /** Pages that programs write, which quote Kubernetes. */
    private static final List<String> EXEMPT = List.of("docs/evidence/", "docs/referee.md", "docs/benchmarks/");

    @TestFactory
    Stream<DynamicTest> pagesHaveNoneOfThePhrases() {
        return Stream.concat(Stream.of("CHANGELOG.md"), PageBlock.pages().stream())
                .filter(page -> EXEMPT.stream().noneMatch(page::startsWith))
                .map(page -> DynamicTest.dynamicTest(
                        page, () -> assertThat(found(PageBlock.proseOf(page))).isEmpty()));
    }

    private static List<String> found(String text) {
        return REPLACED.matcher(text).results().map(MatchResult::group).toList();
    }
}
