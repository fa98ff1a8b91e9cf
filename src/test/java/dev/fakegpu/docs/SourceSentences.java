package dev.fakegpu.docs;

import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The sentences of a document that this project implements, and the places that show each sentence.
 *
 * <p>The file of a document has {@code # title | address | file | note}, followed by headings of sections ({@code = Heading}) and a line
 * for each sentence: {@code id quote => place ; place}. An ellipsis in a quote stands for omitted words or whole sentences.
 *
 * @param document the name of the list and of the page
 * @param title the title, as in "what it says"
 * @param file the file with the document itself, if it is available
 * @param note a note for readers of the page; empty if there is none
 */
record SourceSentences(
        String document, String title, String address, String file, String note, List<Sentence> sentences) {

    static final String FOLDER = "src/test/resources/seeds";

    private static final Pattern LINE = Pattern.compile("(\\d{3}) (.*) => (.*)");

    /** @param places the places as in {@link SourcePlaces} */
    record Sentence(String id, String section, String quote, List<String> places) {

        /** One of {@link SourcePlaces#KINDS}: the kind of the first place, unless one shows a difference. */
        String kind() {
            return places.stream().anyMatch(SourcePlaces::isDifference) ? "differs" : SourcePlaces.kind(places.get(0));
        }
    }

    /** The names of the documents, without the extensions of the lists. */
    static List<String> documents() {
        try {
            return ProjectFiles.list(FOLDER).stream()
                    .map(file -> String.valueOf(file.getFileName()))
                    .filter(file -> file.endsWith(".txt"))
                    .map(file -> file.replace(".txt", ""))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static SourceSentences of(String document) {
        List<String> lines = ProjectFiles.read(ProjectFiles.resolve(FOLDER + "/" + document + ".txt"))
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
        String[] head = lines.get(0).substring("# ".length()).split(" \\| ");
        var sentences = new ArrayList<Sentence>();
        String section = "";
        for (String line : lines.subList(1, lines.size())) {
            if (line.startsWith("= ")) {
                section = line.substring("= ".length());
            } else {
                sentences.add(sentence(prefix(document), section, line));
            }
        }
        return new SourceSentences(
                document, head[0], head[1], head[2], head.length > 3 ? head[3] + "\n\n" : "", List.copyOf(sentences));
    }

    private static String prefix(String document) {
        return document.replace("kep-", "").replace("-page", "");
    }

    private static Sentence sentence(String prefix, String section, String line) {
        Matcher fields = LINE.matcher(line);
        if (!fields.matches()) {
            throw new IllegalArgumentException("neither \"= Section\" nor \"id quote => places\": " + line);
        }
        return new Sentence(
                prefix + "-" + fields.group(1),
                section,
                fields.group(2),
                List.of(fields.group(3).split(" ; ")));
    }

    List<String> sections() {
        return sentences.stream().map(Sentence::section).distinct().toList();
    }

    List<Sentence> in(String section) {
        return sentences.stream()
                .filter(sentence -> sentence.section().equals(section))
                .toList();
    }

    /** The number of sentences of a kind. */
    long count(String kind) {
        return sentences.stream().map(Sentence::kind).filter(kind::equals).count();
    }

    /** The page with the numbers of all documents. */
    static String overview() {
        List<SourceSentences> all =
                documents().stream().map(SourceSentences::of).toList();
        String head = all.stream()
                .map(each -> "| [%s](%s.md) ".formatted(each.title(), each.document()))
                .collect(Collectors.joining());
        return OVERVIEW.formatted(head, "--:|".repeat(all.size()))
                + SourcePlaces.KINDS.entrySet().stream()
                        .map(kind -> "| " + kind.getValue() + " | " + each(all, each -> each.count(kind.getKey())))
                        .collect(Collectors.joining())
                + "| all | " + each(all, each -> each.sentences().size());
    }

    private static String each(List<SourceSentences> all, ToLongFunction<SourceSentences> number) {
        return all.stream().map(each -> number.applyAsLong(each) + " |").collect(Collectors.joining(" ")) + "\n";
    }

    /** The page that {@code -Dgolden.update=true} writes. */
    String page() {
        return HEAD.formatted(title, title, address, FOLDER, document, note, sentences.size(), counts(), differences())
                + sections().stream().map(this::section).collect(Collectors.joining());
    }

    private String differences() {
        return sentences.stream()
                .filter(sentence -> sentence.kind().equals("differs"))
                .map(sentence -> "[%s](#%s)".formatted(sentence.id(), sentence.id()))
                .collect(Collectors.joining(", ", "Kubernetes 1.37 differs from ", ".\n"));
    }

    private String counts() {
        return SourcePlaces.KINDS.entrySet().stream()
                .filter(kind -> count(kind.getKey()) > 0)
                .map(kind -> "| %s | %d |\n".formatted(kind.getValue(), count(kind.getKey())))
                .collect(Collectors.joining());
    }

    private String section(String section) {
        return "\n## " + section + "\n\n| id | sentence | demonstrated in |\n|---|---|---|\n"
                + in(section).stream().map(SourceSentences::row).collect(Collectors.joining());
    }

    private static String row(Sentence sentence) {
        return "| <a id=\"%s\"></a>%s | %s | %s |\n"
                .formatted(
                        sentence.id(),
                        sentence.id(),
                        shown(sentence.quote()),
                        sentence.places().stream().map(SourcePlaces::markdown).collect(Collectors.joining("<br>")));
    }

    private static String shown(String quote) {
        String text = quote.replace("|", "\\|")
                .replace("<", "&lt;")
                .replace("*", "\\*")
                .replace("[", "\\[");
        return text.matches(".* … .*|.*[.?)”]") ? text : text + " …";
    }

    private static final String OVERVIEW = """
            # What the source documents say

            This page shows how many sentences of the four KEPs and of the documentation's page about DRA are demonstrated, and where. The linked pages
            have a row for each sentence. A sentence is counted once, by the first place in its row, or as a difference if Kubernetes 1.37 differs. The page is
            generated by `SourceSentencesTest`; do not edit it. There is a separate page about [their manifests](manifests.md).

            | entries %s|
            |---|%s
            """;

    private static final String HEAD = """
            # Sentences of %s

            This page shows where the sentences of %s are demonstrated. Each row has a few words of a sentence of [the document](%s) that says what something
            does, must do or costs, or how it is tested, rolled back or monitored. The page is generated from [a list](../../%s/%s.txt) by
            `SourceSentencesTest`, which checks that each place exists; do not edit it.

            A *check* ran on Kubernetes' own components; its result is shown. For a *case*, kube-scheduler's own allocator gives the same answer. A *refusal* has
            the message of a real API server. A *scenario* is played in memory and on a real control plane, and `hack/fakegpu simulate -f FILE` plays it.

            %s| %d entries, by the first place | |
            |---|--:|
            %s
            %s""";
}
