package dev.fakegpu.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.simulate.ScenarioManifest.Expectation;
import dev.fakegpu.simulate.ScenarioManifest.Subject;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what a scenario expects. */
final class ExpectationReader {

    private static final List<String> FIELDS =
            List.of("pod", "claim", "count", "namespace", "is", "node", "device", "reason", "says", "number");
    private static final List<String> COUNTED = List.of("pods", "claims");

    private final ScenarioProblems problems;

    ExpectationReader(ScenarioProblems problems) {
        this.problems = problems;
    }

    /** Empty if it has problems without which it cannot be read. */
    Optional<Expectation> read(String path, JsonNode item) {
        if (!problems.isObject(path, item, FIELDS)) {
            return Optional.empty();
        }
        List<Subject> subjects = Arrays.stream(Subject.values())
                .filter(subject -> item.hasNonNull(subject.name()))
                .toList();
        if (subjects.size() != 1) {
            return problems.add(
                    path,
                    subjects.isEmpty() ? "is about nothing" : "is about " + words(subjects),
                    "exactly one of pod, claim and count");
        }
        return Optional.of(expectation(path, item, subjects.get(0)));
    }

    private static String words(List<Subject> subjects) {
        return String.join(" and ", subjects.stream().map(Enum::name).toList());
    }

    private Expectation expectation(String path, JsonNode item, Subject subject) {
        String name = text(path, item, subject.name());
        if (subject == Subject.count && !COUNTED.contains(name)) {
            problems.add(path + ".count", item.get("count"), COUNTED, "pods or claims");
        }
        String is = text(path, item, "is");
        if (!subject.states().contains(is)) {
            problems.add(
                    path + ".is", item.path("is"), subject.states(), "one of " + String.join(", ", subject.states()));
        }
        number(path, item, subject);
        @Nullable String namespace = problems.text(path, item, "namespace");
        return new Expectation(
                subject,
                namespace == null ? "default" : namespace,
                name,
                is,
                problems.text(path, item, "node"),
                problems.text(path, item, "device"),
                problems.text(path, item, "reason"),
                problems.text(path, item, "says"),
                item.path("number").asInt());
    }

    private String text(String path, JsonNode item, String field) {
        String text = problems.text(path, item, field);
        return text == null ? "" : text;
    }

    private void number(String path, JsonNode item, Subject subject) {
        JsonNode number = item.path("number");
        if (subject != Subject.count && !number.isMissingNode()) {
            problems.add(path + ".number", "goes with count only", "");
        } else if (subject == Subject.count && !number.isInt()) {
            problems.add(path + ".number", number, "an integer: how many pods or claims");
        }
    }
}
