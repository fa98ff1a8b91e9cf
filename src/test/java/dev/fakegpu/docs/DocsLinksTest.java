package dev.fakegpu.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.PageBlock;
import dev.fakegpu.testing.ProjectFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Tests that links between pages lead to existing files and headings. */
class DocsLinksTest {

    /** Excludes similar text in regular expressions of schemas. */
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s*\\\\]+)\\)");

    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final String ANCHOR = "<a (?:id|name)=\"%s\">";

    @TestFactory
    Stream<DynamicTest> everyLinkLeadsToAFileAndAHeading() {
        return Stream.concat(Stream.of("CHANGELOG.md"), PageBlock.pages().stream())
                .map(page -> DynamicTest.dynamicTest(
                        page, () -> assertThat(problems(page)).isEmpty()));
    }

    private static List<String> problems(String page) {
        return LINK.matcher(PageBlock.proseOf(page).replaceAll("`[^`]*`", ""))
                .results()
                .map(link -> link.group(1))
                .filter(link -> !link.matches("[a-z]+:.*"))
                .flatMap(link -> problem(page, link).stream())
                .toList();
    }

    private static Optional<String> problem(String page, String link) {
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        Path from = ProjectFiles.resolve(page);
        Path file = path.isEmpty() ? from : from.resolveSibling(path).normalize();
        if (!Files.exists(file)) {
            return Optional.of(link + ": there is no such file");
        }
        boolean isFound = hash < 0 || hasHeading(ProjectFiles.read(file), link.substring(hash + 1));
        return isFound ? Optional.empty() : Optional.of(link + ": there is no such heading");
    }

    private static boolean hasHeading(String text, String anchor) {
        return HEADING.matcher(text).results().map(DocsLinksTest::anchor).anyMatch(anchor::equals)
                || Pattern.compile(ANCHOR.formatted(Pattern.quote(anchor)))
                        .matcher(text)
                        .find();
    }

    /** The anchor of a heading as on GitHub. */
    private static String anchor(MatchResult heading) {
        return heading.group(1)
                .toLowerCase(Locale.ROOT)
                .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }
}
