package dev.fakegpu.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fakegpu.docs.SourceSentences.Sentence;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that each sentence of the documents that this project implements has a place that shows it, and that {@code docs/seeds} lists them;
 * {@code -Dgolden.update=true} writes the pages.
 */
class SourceSentencesTest {

    /** The place of the documents in a checkout that has them. */
    private static final Path TEXTS = ProjectFiles.resolve("pom.xml").resolveSibling("../shared/seeds");

    /** A sentence ends here, or before an item of a list. */
    private static final Pattern END =
            Pattern.compile("(?<=[.?!:])\\s+(?=[A-Z\\[“(])|\n(?:- |\n|\\|)|\n(?=[A-Z][^\n]{0,70}\n)");

    private static final Pattern NORMATIVE = Pattern.compile(
            "(?i)\\b(?:must|should|will|would|can|cannot|may|might|is|are|does|do|has|have|requires?|needs?|allows?|supports?)\\b");

    static List<String> documents() {
        return SourceSentences.documents();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void everySentenceHasAPlaceThatExists(String document) {
        List<String> problems = SourceSentences.of(document).sentences().stream()
                .flatMap(sentence -> problem(sentence).stream())
                .toList();

        assertThat(problems).isEmpty();
    }

    private static Optional<String> problem(Sentence sentence) {
        try {
            sentence.places().forEach(SourcePlaces::markdown);
        } catch (IllegalArgumentException e) {
            return Optional.of(sentence.id() + ": " + e.getMessage());
        }
        boolean isKnown = SourcePlaces.KINDS.containsKey(sentence.kind());
        boolean hasSteps = !sentence.places().get(0).startsWith("differs ")
                || sentence.places().size() > 1;
        return isKnown && hasSteps
                ? Optional.empty()
                : Optional.of(sentence.id() + ": a kind, and what shows a difference");
    }

    @ParameterizedTest
    @MethodSource("documents")
    void noIdAndNoQuoteIsThereTwice(String document) {
        List<Sentence> sentences = SourceSentences.of(document).sentences();

        assertThat(sentences).extracting(Sentence::id).doesNotHaveDuplicates();
        assertThat(sentences)
                .extracting(sentence -> sentence.section() + sentence.quote())
                .doesNotHaveDuplicates();
    }

    @Test
    void atMostOneOfTwentyCannotBeAnsweredByRunning() {
        List<Sentence> all = documents().stream()
                .flatMap(document -> SourceSentences.of(document).sentences().stream())
                .toList();

        assertThat(all.stream()
                                .filter(sentence -> sentence.kind().equals("cannot"))
                                .count()
                        * 20)
                .isLessThanOrEqualTo(all.size());
    }

    @ParameterizedTest
    @MethodSource("documents")
    void pagesAreCurrent(String document) throws IOException {
        assertCurrent(document + ".md", SourceSentences.of(document).page());
    }

    @Test
    void overviewIsCurrent() throws IOException {
        assertCurrent("README.md", SourceSentences.overview());
    }

    private static void assertCurrent(String name, String expected) throws IOException {
        Path page = ProjectFiles.resolve("docs/seeds").resolve(name);
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(page, expected);
        }
        assertThat(Files.readString(page)).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("documents")
    void quotesAreInTheDocument(String document) {
        assumeTrue(Files.isDirectory(TEXTS), "the documents are not beside the project");
        SourceSentences source = SourceSentences.of(document);
        String raw = ProjectFiles.read(TEXTS.resolve(source.file()));
        String text = plain(raw);
        var covered = new ArrayList<int[]>();
        var missing = new ArrayList<String>();
        for (Sentence sentence : source.sentences()) {
            List<int[]> spans = spans(text, plain(sentence.quote()));
            covered.addAll(spans);
            if (spans.isEmpty()) {
                missing.add(sentence.id() + ": " + sentence.quote());
            }
        }
        report(document, raw, text, covered);

        assertThat(missing).isEmpty();
    }

    /** The positions of a quote in the text; an ellipsis in it matches any text. */
    private static List<int[]> spans(String text, String quote) {
        String pattern = String.join(
                "(?:.{0,1500}?)",
                Pattern.compile(" ?… ?")
                        .splitAsStream(quote)
                        .map(Pattern::quote)
                        .toList());
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult match) -> new int[] {match.start(), match.end()})
                .toList();
    }

    private static void report(String document, String raw, String text, List<int[]> covered) {
        int all = 0;
        var open = new ArrayList<String>();
        int from = covered.stream().mapToInt(span -> span[0]).min().orElse(0);
        for (String part : END.split(raw.replaceAll("(?m)^// ?", ""))) {
            String sentence = plain(part);
            int start = text.indexOf(sentence, from);
            if (start < 0
                    || sentence.split(" ").length < 5
                    || sentence.endsWith("?")
                    || !NORMATIVE.matcher(sentence).find()) {
                continue;
            }
            from = start;
            int end = start + sentence.length();
            all++;
            if (covered.stream().noneMatch(span -> span[0] < end && span[1] > start)) {
                open.add(sentence);
            }
        }
        System.out.printf(
                "%s: %d of %d sentences that say what is or must be have an entry%n", document, all - open.size(), all);
        if (Boolean.getBoolean("sentences.open")) {
            open.forEach(sentence -> System.out.println("  " + sentence));
        }
    }

    /** The text without the syntax of Markdown and code comments. */
    private static String plain(String text) {
        return text.replaceAll("(?m)^// ?", "")
                .replace("`", "")
                .replaceAll("\\s+", " ")
                .strip();
    }
}
