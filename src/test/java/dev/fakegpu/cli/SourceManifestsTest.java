package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * Tests the unchanged manifests in the documents that this project implements: each command that reads their kind accepts them, or names
 * the rule of Kubernetes that refuses them. {@code docs/seeds/manifests.md} has the answers of each command; {@code -Dgolden.update=true}
 * writes the page.
 *
 * <p>The comments at the top of a manifest name its source, and what was {@code Changed}; or why it is {@code Refused}, and what each
 * command {@code Says}.
 */
class SourceManifestsTest {

    private static final CommandLine PROGRAM = FakeGpuCommand.commandLine();
    private static final String PAGE = "docs/seeds/manifests.md";
    private static final String FOLDER = "src/test/resources/seeds";
    private static final List<String> COMMANDS = List.of("simulate", "check", "import", "matrix");

    /** The directories, with the headings of their documents. */
    private static final Map<String, String> DOCUMENTS = documents();

    private static final String HEAD = """
            # Manifests of the source documents

            This page shows which manifests of the four KEPs and of the documentation's page about DRA work, and which rule of Kubernetes 1.37 rejects the others.
            It is generated from [the manifests](../../src/test/resources/seeds) by `SourceManifestsTest`; do not edit it.

            Each manifest is unchanged from its document, in its original version (`v1beta1`, `v1beta2`, `v1alpha3`); only its indentation is restored. A manifest
            that is refused is followed by a *corrected* one, with the smallest change that makes it work. A *made* manifest shows a rule that a document only
            states in its text.

            | result | meaning |
            |---|---|
            | works | the command accepts it; an older version is read as `v1`, with a note |
            | refused | the command rejects it, and names the rule; `check` finds the error |
            | works, told | the command uses the parts that it can read, and names the rule, or the questionable part |
            | – | the command does not read this kind |

            Quotes of commands leave out file names and lists of allowed fields.
            """;

    private static List<Source> sources = List.of();

    private static Map<String, String> documents() {
        var documents = new LinkedHashMap<String, String>();
        documents.put("kep-5963", """

                        ## KEP-5963: compatibility groups

                        From [the KEP](https://kep.k8s.io/5963) (Apache-2.0). The claims of Example 3 are those of Example 2.
                        """);
        documents.put("kep-4816", """

                        ## KEP-4816: prioritized list

                        From [the KEP](https://kep.k8s.io/4816) (Apache-2.0).
                        """);
        documents.put("kep-5234", """

                        ## KEP-5234: mixins

                        [The KEP](https://kep.k8s.io/5234) (Apache-2.0) has no manifest; this one has the fields of its Go types. No API server keeps them; [Mixins](../kep-5234.md)
                        describes which fields this project reads.
                        """);
        documents.put("kep-5075", """

                        ## KEP-5075: consumable capacity

                        From [the KEP](https://kep.k8s.io/5075) (Apache-2.0), which abridges all of its manifests.
                        """);
        documents.put("dra-page", """

                        ## The page about DRA

                        From [Dynamic Resource Allocation](https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/) (CC BY 4.0), as it was
                        for Kubernetes 1.33.
                        """);
        return documents;
    }

    /**
     * A file, and the answers of the commands about it.
     *
     * @param comments the comments by their first word
     * @param answers the answers by command, without commands that do not read the kind
     */
    private record Source(String folder, String file, Map<String, String> comments, Map<String, Answer> answers) {

        static Source of(Path path) {
            Map<String, String> comments = ProjectFiles.read(path)
                    .lines()
                    .takeWhile(line -> line.startsWith("# "))
                    .map(line -> line.substring(2).split(":? ", 2))
                    .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
            Map<String, Answer> answers = new LinkedHashMap<>();
            COMMANDS.stream()
                    .filter(command -> reads(command, ProjectFiles.read(path)))
                    .forEach(command -> answers.put(command, Answer.of(command, path)));
            return new Source(
                    String.valueOf(path.getParent().getFileName()),
                    String.valueOf(path.getFileName()),
                    comments,
                    answers);
        }

        private static boolean reads(String command, String text) {
            return command.equals("simulate")
                    || text.contains("kind: ResourceSlice\n")
                    || (command.equals("check") && text.contains("kind: DeviceClass\n"));
        }

        Optional<String> comment(String name) {
            return Optional.ofNullable(comments.get(name));
        }

        String original() {
            return file.replace(".corrected", "");
        }

        boolean isCorrected() {
            return !original().equals(file);
        }

        String row() {
            String cells = COMMANDS.stream()
                    .map(command -> Optional.ofNullable(answers.get(command))
                            .map(Answer::word)
                            .orElse("–"))
                    .collect(Collectors.joining(" | "));
            return "| [%s](../../%s/%s/%s) | %s | %s |\n"
                    .formatted(
                            file.replace(".yaml", ""),
                            FOLDER,
                            folder,
                            file,
                            cells,
                            comment("Refused").or(() -> comment("Changed")).orElse(""));
        }

        /** The sentences of the answers, each with the commands that print it. */
        String quotes() {
            Map<String, List<String>> commands = new LinkedHashMap<>();
            answers.forEach((command, answer) -> answer.sentences()
                    .forEach(sentence -> commands.computeIfAbsent(sentence, ignored -> new ArrayList<>())
                            .add("`" + command + "`")));
            String quotes = commands.entrySet().stream()
                    .map(each -> "  - %s: `` %s ``\n".formatted(String.join(", ", each.getValue()), each.getKey()))
                    .collect(Collectors.joining());
            return quotes.isEmpty() ? "" : "- " + file.replace(".yaml", "") + "\n" + quotes;
        }
    }

    /** @param sentences the errors and warnings */
    private record Answer(int exit, List<String> sentences) {

        static Answer of(String command, Path file) {
            var out = new StringWriter();
            var err = new StringWriter();
            String[] args = command.equals("check")
                    ? new String[] {command, "-f", file.toString(), "-o", "json"}
                    : new String[] {command, "-f", file.toString()};
            int exit = PROGRAM.setOut(new PrintWriter(out))
                    .setErr(new PrintWriter(err))
                    .execute(args);
            Stream<String> told = err.toString()
                    .lines()
                    .map(line ->
                            line.replace("fakegpu: ", "").replace("note: ", "").replace(file + ": ", ""))
                    .filter(line -> !line.contains(": is read as ") && !line.matches("FakeGpu \\S+: equal: .*"));
            return new Answer(
                    exit,
                    Stream.concat(told, command.equals("check") ? findings(out.toString()) : Stream.of())
                            .map(sentence -> sentence.replaceFirst("(?<=: )line \\d+: (?=[a-z]+[.\\[:])", ""))
                            .map(sentence -> sentence.replaceFirst("; (?:allowed|there are): \\w+(?:, \\w+){2,}$", ""))
                            .distinct()
                            .toList());
        }

        private static Stream<String> findings(String json) {
            try {
                JsonNode findings = new ObjectMapper().readTree(json).path("findings");
                return StreamSupport.stream(findings.spliterator(), false)
                        .map(finding -> "%s: %s: %s"
                                .formatted(
                                        finding.path("rule").asText(),
                                        finding.path("path").asText(),
                                        finding.path("message").asText()));
            } catch (JsonProcessingException e) {
                throw new AssertionError(json, e);
            }
        }

        boolean says(String text) {
            return sentences.stream().anyMatch(sentence -> sentence.contains(text));
        }

        String word() {
            if (exit != 0) {
                return "refused";
            }
            return sentences.isEmpty() ? "works" : "works, told";
        }
    }

    @BeforeAll
    static void askAllCommands() throws IOException {
        var read = new ArrayList<Source>();
        for (String document : DOCUMENTS.keySet()) {
            ProjectFiles.list(FOLDER + "/" + document).stream()
                    .map(Source::of)
                    .sorted(Comparator.comparing(Source::original).thenComparing(Source::isCorrected))
                    .forEach(read::add);
        }
        sources = List.copyOf(read);
    }

    @Test
    void everyCommandNamesTheRuleThatRefusesAManifest() {
        List<Source> refused = sources.stream()
                .filter(source -> source.comment("Refused").isPresent())
                .toList();

        assertThat(refused).hasSizeGreaterThan(15);
        for (Source source : refused) {
            String rule = source.comment("Says").orElseThrow();
            assertThat(source.answers())
                    .as(source.file())
                    .allSatisfy((command, answer) -> assertThat(answer.says(rule))
                            .as("%s says \"%s\": %s", command, rule, answer.sentences())
                            .isTrue());
            assertThat(source.answers().get("simulate").exit())
                    .as(source.file())
                    .isEqualTo(1);
        }
    }

    @Test
    void everyOtherManifestWorks() {
        sources.stream()
                .filter(source -> source.comment("Refused").isEmpty())
                .forEach(source -> assertThat(source.answers())
                        .as(source.file())
                        .allSatisfy((command, answer) -> assertThat(answer.exit())
                                .as("%s: %s", command, answer.sentences())
                                .isZero()));
    }

    @Test
    void correctedManifestsSayWhatIsChanged() {
        sources.stream().filter(Source::isCorrected).forEach(source -> {
            assertThat(source.comment("Changed")).as(source.file()).isPresent();
            assertThatCode(() -> ProjectFiles.resolve(FOLDER + "/" + source.folder() + "/" + source.original()))
                    .doesNotThrowAnyException();
        });
    }

    @Test
    void pageIsCurrent() throws IOException {
        String expected = HEAD
                + DOCUMENTS.keySet().stream().map(SourceManifestsTest::section).collect(Collectors.joining());
        Path page = ProjectFiles.resolve("docs").resolveSibling(PAGE);
        if (Boolean.getBoolean("golden.update")) {
            Files.createDirectories(page.getParent());
            Files.writeString(page, expected);
        }
        assertThat(Files.readString(page)).isEqualTo(expected);
    }

    private static String section(String document) {
        List<Source> its = sources.stream()
                .filter(source -> source.folder().equals(document))
                .toList();
        String quotes = its.stream().map(Source::quotes).collect(Collectors.joining());
        return DOCUMENTS.get(document)
                + "\n| manifest | `simulate` | `check` | `import` | `matrix` | rule, or what is changed |\n|---|---|---|---|---|---|\n"
                + its.stream().map(Source::row).collect(Collectors.joining())
                + (quotes.isEmpty() ? "" : "\nWhat the commands say:\n\n" + quotes);
    }
}
