package dev.fakegpu.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tests that {@code docs/development/structure.md} names packages, classes and files that exist, and text that they
 * contain. */
class StructureDocsTest {

    private static final String PAGE = "docs/development/structure.md";
    private static final Path MAIN = ProjectFiles.resolve("src/main/java/dev/fakegpu");

    private static final Pattern SPAN = Pattern.compile("`([^`]+)`");
    private static final Pattern CLASS = Pattern.compile("[A-Z]\\w*[a-z]\\w*");
    private static final Pattern FILE = Pattern.compile("(?:src|deploy|config|hack|docs|\\.github)/[\\w./-]+");

    /** The files of classes, by simple name. */
    private static Map<String, Path> classes = Map.of();

    @BeforeAll
    static void readNames() {
        BinaryOperator<Path> any = (one, other) -> one;
        classes = Stream.of("src/main/java", "src/test/java", "src/build/java", "test-e2e/java", "deploy/testing")
                .flatMap(folder -> filesBelow(ProjectFiles.resolve(folder)))
                .filter(file -> file.toString().endsWith(".java"))
                .collect(Collectors.toMap(
                        file -> String.valueOf(file.getFileName()).replace(".java", ""), file -> file, any));
    }

    @Test
    void roomsAndPackagesAreThoseOfMain() {
        Set<String> listed = new TreeSet<>();
        String room = "";
        for (List<String> row : rows("## Rooms", "## Outside")) {
            String named = name(row.get(0));
            room = named.isEmpty() ? room : named;
            String inside = name(row.get(1));
            listed.add(inside.isEmpty() ? room : room + "." + inside);
        }

        assertThat(listed).containsAll(rooms());
        assertThat(packages()).containsAll(listed);
    }

    @TestFactory
    Stream<DynamicTest> filesOfAChangeExistAndHaveTheText() {
        return rows("## Where to change what", "").stream()
                .map(row -> DynamicTest.dynamicTest(
                        row.get(0), () -> check(row.get(1), spans(row.get(2)).toList())));
    }

    /** The first file has the text, so that a change of this file is noticed. */
    private static void check(String open, List<String> lookFor) {
        List<Path> files = spans(open).flatMap(StructureDocsTest::file).toList();
        assertThat(files).allMatch(Files::exists);
        String text = files.stream()
                .filter(Files::isRegularFile)
                .findFirst()
                .map(ProjectFiles::read)
                .orElse("");
        assertThat(lookFor).allMatch(text::contains, "is in the first file");
    }

    private static Stream<Path> file(String span) {
        if (CLASS.matcher(span).matches()) {
            assertThat(classes).containsKey(span);
            return Stream.of(classes.get(span));
        }
        return FILE.matcher(span).matches() ? Stream.of(ProjectFiles.resolve(span)) : Stream.empty();
    }

    /** The cells of each row of the table in a section. */
    private static List<List<String>> rows(String from, String to) {
        String page = ProjectFiles.read(ProjectFiles.resolve(PAGE));
        String section = page.substring(page.indexOf(from), to.isEmpty() ? page.length() : page.indexOf(to));
        return section.lines()
                .filter(line -> line.startsWith("| "))
                .skip(1) // the header row
                .map(line ->
                        Stream.of(line.split("\\|")).skip(1).map(String::strip).toList())
                .toList();
    }

    private static Stream<String> spans(String cell) {
        return SPAN.matcher(cell).results().map(span -> span.group(1));
    }

    private static String name(String cell) {
        return spans(cell).findFirst().orElse("");
    }

    private static Set<String> rooms() {
        return packages().stream().filter(name -> !name.contains(".")).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Every package below {@code dev.fakegpu}, such as {@code operator.publish}. */
    private static Set<String> packages() {
        return walk(MAIN)
                .filter(Files::isDirectory)
                .map(folder -> MAIN.relativize(folder).toString().replace('/', '.'))
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<Path> filesBelow(Path folder) {
        return walk(folder)
                .filter(Files::isRegularFile)
                .filter(file -> !file.toString().contains("/target/"));
    }

    private static Stream<Path> walk(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
