package dev.fakegpu.docs;

import dev.fakegpu.testing.ProjectFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a document that this project implements says, sentence by sentence, and the places where each sentence is shown.
 *
 * <p>The file of a document has {@code # title | address | file}, then headings of sections ({@code = Heading}) and a line for each sentence:
 * {@code id quote => place ; place}. An ellipsis in a quote leaves words out, also whole sentences.
 *
 * @param prefix of the ids
 */
record SourceSentences(String prefix, String title, String address, String file, List<Sentence> sentences) {

    static final String FOLDER = "src/test/resources/seeds";

    /** In the order in which pages list them: the prefix of the ids, and the name of the file and the page. */
    static final List<String> DOCUMENTS = List.of("kep-5963");

    private static final Pattern LINE = Pattern.compile("(\\d{3}) (.*) => (.*)");

    /** @param places in the words of {@link SourcePlaces} */
    record Sentence(String id, String section, String quote, List<String> places) {

        /** One of {@link SourcePlaces#KINDS}: that of the first place, unless one shows a difference. */
        String kind() {
            return places.stream().anyMatch(SourcePlaces::isDifference) ? "differs" : SourcePlaces.kind(places.get(0));
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
        return new SourceSentences(prefix(document), head[0], head[1], head[2], List.copyOf(sentences));
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

    /** How many sentences are of each kind, in words. */
    long count(String kind) {
        return sentences.stream().map(Sentence::kind).filter(kind::equals).count();
    }

    /** The page that {@code -Dgolden.update=true} writes. */
    String page() {
        return HEAD.formatted(title, title, address, FOLDER, file, sentences.size(), counts())
                + sections().stream().map(this::section).collect(Collectors.joining());
    }

    private String counts() {
        return SourcePlaces.KINDS.keySet().stream()
                .filter(kind -> count(kind) > 0)
                .map(kind -> "| %s | %d |\n".formatted(SourcePlaces.KINDS.get(kind), count(kind)))
                .collect(Collectors.joining());
    }

    private String section(String section) {
        return "\n## " + section + "\n\n| id | sentence | seen in |\n|---|---|---|\n"
                + in(section).stream().map(SourceSentences::row).collect(Collectors.joining());
    }

    private static String row(Sentence sentence) {
        return "| %s | %s | %s |\n"
                .formatted(
                        sentence.id(),
                        shown(sentence.quote()),
                        sentence.places().stream().map(SourcePlaces::markdown).collect(Collectors.joining("<br>")));
    }

    private static String shown(String quote) {
        String text = quote.replace("|", "\\|")
                .replace("<", "&lt;")
                .replace("*", "\\*")
                .replace("[", "\\[");
        return text.matches(".*[.?)”]") ? text : text + " …";
    }

    private static final String HEAD = """
            # Sentences of %s

            This page answers: where can be seen what %s says? Each row is a sentence of [the document](%s) that says what something does, must do, costs, or how it is tested,
            rolled back and monitored, with a few words of it. It is generated from
            [a list](../../%s/%s) by `SourceSentencesTest`, which checks that each place exists; not to be edited.

            A check ran on Kubernetes' own components, and what was observed is beside it. A *case* of the corpus has the same answer as kube-scheduler's
            own allocator. A *refusal* has the words of a real API server. Scenarios run in memory and on a real control plane: `hack/fakegpu simulate -f FILE` plays one.

            | %d sentences, first seen in | |
            |---|--:|
            %s""";
}
