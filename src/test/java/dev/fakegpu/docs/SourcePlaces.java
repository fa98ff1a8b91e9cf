package dev.fakegpu.docs;

import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The places that show a sentence of a document: a word for the kind, and a name.
 *
 * <p>{@link #markdown} describes a place and links to it, and throws an {@link IllegalArgumentException} if it does not exist.
 */
final class SourcePlaces {

    /** The words for kinds, in the order in which they are counted, and their names in pages. */
    static final Map<String, String> KINDS = kinds();

    private static final String UP = "../../";
    private static final String SCENARIOS = "test-e2e/scenarios/";
    private static final String CORPUS = "src/test/resources/allocator-corpus/";
    private static final String REFUSALS = "src/test/resources/validation/refused.yaml";
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    /** Directories of golden files, with the test that compares them. */
    private static final Map<String, String> GOLDEN = Map.of(
            "cli", "CommandGoldenTest",
            "explain", "ExplainerGoldenTest",
            "retention", "RetentionTest",
            "slices", "GoldenSlicesTest");

    /** Pages with measurements or comparisons by commands. */
    private static final List<String> MEASURED = List.of(
            "evidence/",
            "benchmarks/",
            "seeds/manifests.md",
            "prioritized-list.md",
            "consumable-capacity.md",
            "kep-5234.md",
            "version-skew.md",
            "referee.md",
            "peers.md",
            "nvidia-manifests.md",
            "driver-manifests.md");

    /** The sources of tests, by the simple name of their class. */
    private static final Map<String, Path> TESTS = tests();

    /** The file of each case of the corpus. */
    private static final Map<String, String> CASES = cases();

    private SourcePlaces() {}

    private static Map<String, String> kinds() {
        var kinds = new LinkedHashMap<String, String>();
        kinds.put("check", "a check on Kubernetes' own components");
        kinds.put("measured", "a measurement or comparison by a command");
        kinds.put("sample", "a sample");
        kinds.put("scenario", "a scenario");
        kinds.put("case", "a case of the corpus");
        kinds.put("test", "a test");
        kinds.put("golden", "output of a command, or a refusal, compared with a file");
        kinds.put("refusal", "a refusal of the API server");
        kinds.put("differs", "a difference in Kubernetes 1.37");
        kinds.put("cannot", "cannot be checked by running");
        return kinds;
    }

    /** One of {@link #KINDS}. */
    static String kind(String place) {
        String word = word(place);
        return switch (word) {
            case "stuck" -> "scenario";
            case "spec" -> "test";
            default -> word;
        };
    }

    private static String word(String place) {
        return place.replaceFirst(" .*", "");
    }

    static String markdown(String place) {
        String name = place.substring(place.indexOf(' ') + 1);
        return switch (word(place)) {
            case "check" -> check(name);
            case "measured" -> measured(name);
            case "sample" -> "sample " + link(name, "config/samples/" + name + "/README.md");
            case "scenario" -> "scenario " + link(name, SCENARIOS + name + ".scenario.yaml");
            case "stuck" -> "scenario " + link(name, "docs/stuck/" + name + ".scenario.yaml");
            case "case" -> "case " + link(name, CORPUS + found(CASES, name));
            case "test" -> test(name);
            case "golden" -> golden(name);
            case "refusal" -> refusal(name);
            case "spec" -> "FakeGpu " + link(name, "src/test/resources/corpus/fakegpu/" + name + ".yaml");
            case "file" -> link(name.substring(name.lastIndexOf('/') + 1), name);
            case "differs" -> "**Differs**: Kubernetes 1.37 " + name;
            case "cannot" -> "Cannot be answered by running, because " + name;
            case "run" -> "`" + name + "`";
            default -> throw new IllegalArgumentException("is no kind of place: " + place);
        };
    }

    private static String link(String text, String file) {
        String path = relative(ProjectFiles.resolve(file));
        return "[%s](%s)"
                .formatted(text, path.startsWith("docs/") ? "../" + path.substring("docs/".length()) : UP + path);
    }

    private static String found(Map<String, String> names, String name) {
        String file = names.get(name);
        if (file == null) {
            throw new IllegalArgumentException("there is no " + name);
        }
        return file;
    }

    /** @param name a row of a table of the evidence for a KEP, such as {@code kep-5963#on-stored} */
    private static String check(String name) {
        String[] parts = name.split("#");
        String page = evidence(parts[0]);
        String id = parts[1];
        String heading = "";
        for (String line : ProjectFiles.read(ProjectFiles.resolve(page)).lines().toList()) {
            if (line.startsWith("#")) {
                heading = line.replaceFirst("^#+ ", "");
            }
            boolean differs = line.startsWith("| [%s](#%s) |".formatted(id, id));
            if (differs || line.startsWith("| `%s` |".formatted(id))) {
                String[] cells = line.split("(?<!\\\\)\\|");
                String anchor = differs ? id : anchor(heading);
                return "check [%s](../%s#%s): %s%s"
                        .formatted(
                                id,
                                page.substring("docs/".length()),
                                anchor,
                                shortened(cells[5].strip()),
                                differs ? "; **differs**" : "");
            }
        }
        throw new IllegalArgumentException("there is no check " + name + " in " + page);
    }

    /** Whether the check that a place names found a difference. */
    static boolean isDifference(String place) {
        return place.startsWith("differs ")
                || (place.startsWith("check ") && markdown(place).endsWith("**differs**"));
    }

    private static String evidence(String kep) {
        try {
            return ProjectFiles.list("docs/evidence").stream()
                    .map(file -> "docs/evidence/" + file.getFileName())
                    .filter(file -> file.startsWith("docs/evidence/" + kep + "-v") && file.endsWith(".md"))
                    .reduce((earlier, later) -> later)
                    .orElseThrow(() -> new IllegalArgumentException("there is no evidence for " + kep));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String shortened(String cell) {
        String text = cell.replace("`", "");
        return text.length() <= 90 ? text : text.substring(0, 90).replaceFirst(" [^ ]*$", "") + " …";
    }

    /** @param name a page below {@code docs}, optionally with a heading; {@code kep-5963} stands for the evidence */
    private static String measured(String name) {
        String[] parts = name.split("#");
        String page = parts[0].endsWith(".md") ? "docs/" + parts[0] : evidence(parts[0]);
        if (MEASURED.stream().noneMatch(page.substring("docs/".length())::startsWith)) {
            throw new IllegalArgumentException("nothing is measured on the page " + name);
        }
        String text = ProjectFiles.read(ProjectFiles.resolve(page));
        if (parts.length == 1) {
            return link(text.lines().findFirst().orElseThrow().substring("# ".length()), page);
        }
        String heading = HEADING.matcher(text)
                .results()
                .map(match -> match.group(1))
                .filter(each -> anchor(each).equals(parts[1]))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no heading " + name));
        return "measured: [%s](../%s#%s)".formatted(heading, page.substring("docs/".length()), parts[1]);
    }

    private static String test(String name) {
        String[] parts = name.split("#");
        Path file = TESTS.get(parts[0]);
        if (file == null || parts.length != 2) {
            throw new IllegalArgumentException("there is no test " + name);
        }
        if (!Pattern.compile("(?:void|Stream<[\\w<>?]+>) " + parts[1] + "\\(")
                .matcher(ProjectFiles.read(file))
                .find()) {
            throw new IllegalArgumentException("there is no method " + name);
        }
        return "test [%s](%s%s)".formatted(name, UP, relative(file));
    }

    /** @param name the name of a golden file, such as {@code explain/tainted} */
    private static String golden(String name) {
        String folder = name.substring(0, name.indexOf('/'));
        String test = found(GOLDEN, folder);
        String path = "src/test/resources/golden/" + name;
        return "%s (`%s`)".formatted(link(name, path), test);
    }

    /** @param words text from a message of the API server */
    private static String refusal(String words) {
        if (!ProjectFiles.read(ProjectFiles.resolve(REFUSALS)).contains(words.replace("\"", "\\\""))) {
            throw new IllegalArgumentException("no refusal has the words " + words);
        }
        return "[refusal](%s%s) `` %s ``".formatted(UP, REFUSALS, words.replace("|", "\\|"));
    }

    /** The anchor of a heading as on GitHub. */
    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    private static String relative(Path file) {
        return ProjectFiles.resolve("pom.xml").getParent().relativize(file).toString();
    }

    private static Map<String, Path> tests() {
        return Stream.of("src/test/java", "test-e2e/java")
                .flatMap(folder -> files(folder, ".java"))
                .collect(Collectors.toMap(
                        file -> String.valueOf(file.getFileName()).replace(".java", ""),
                        file -> file,
                        (one, other) -> one));
    }

    private static Map<String, String> cases() {
        var name = Pattern.compile("\"name\":\"([^\"]+)\"");
        return files(CORPUS, ".jsonl")
                .flatMap(file -> ProjectFiles.read(file)
                        .lines()
                        .flatMap(line -> name.matcher(line).results().limit(1))
                        .map(match -> Map.entry(match.group(1), String.valueOf(file.getFileName()))))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one));
    }

    private static Stream<Path> files(String folder, String extension) {
        try (Stream<Path> files = Files.walk(ProjectFiles.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(extension)).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
