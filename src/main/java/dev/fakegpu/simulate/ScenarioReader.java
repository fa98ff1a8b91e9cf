package dev.fakegpu.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.simulate.ScenarioManifest.Expectation;
import dev.fakegpu.simulate.ScenarioManifest.Step;
import dev.fakegpu.simulate.ScenarioManifest.Subject;
import dev.fakegpu.util.FieldProblem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a scenario, and collects all its problems, each with its path, its value and what is allowed. */
final class ScenarioReader {

    private static final String VERSION = "fakegpu.dev/v1alpha1";
    private static final List<String> ACTIONS = List.of("apply", "delete", "change", "wait", "fault", "expect");
    private static final List<String> OF_EXPECTATION = Stream.of(
                    "pod", "claim", "count", "namespace", "is", "node", "device", "reason", "says", "number")
            .toList();

    private final Function<String, List<JsonNode>> files;
    private final List<String> problems = new ArrayList<>();

    ScenarioReader(Function<String, List<JsonNode>> files) {
        this.files = files;
    }

    ScenarioManifest read(JsonNode json) {
        if (!json.path("apiVersion").asText().equals(VERSION)) {
            problem("apiVersion", json.path("apiVersion"), VERSION);
        }
        onlyFields("", json, List.of("apiVersion", "kind", "metadata", "steps"));
        var steps = new ArrayList<Step>();
        if (!json.path("steps").isArray() || json.path("steps").isEmpty()) {
            problem("steps", json.path("steps"), "a list of steps");
        }
        for (int i = 0; i < json.path("steps").size(); i++) {
            step("steps[" + i + "]", json.path("steps").get(i)).ifPresent(steps::add);
        }
        if (!problems.isEmpty()) {
            throw new SimulationException(problems);
        }
        return new ScenarioManifest(steps);
    }

    private Optional<Step> step(String path, JsonNode step) {
        if (!step.isObject()) {
            return problem(path, step, "an object with one of " + String.join(", ", ACTIONS));
        }
        onlyFields(
                path, step, Stream.concat(Stream.of("name"), ACTIONS.stream()).toList());
        List<String> actions = ACTIONS.stream().filter(step::has).toList();
        if (actions.size() != 1) {
            problems.add(FieldProblem.sentence(
                    path,
                    "",
                    actions.isEmpty() ? "has no action" : "has " + String.join(" and ", actions),
                    "exactly one of " + String.join(", ", ACTIONS)));
            return Optional.empty();
        }
        String action = actions.get(0);
        JsonNode content = step.get(action);
        String at = path + "." + action;
        @Nullable String name = step.hasNonNull("name") ? step.get("name").asText() : null;
        return switch (action) {
            case "apply" -> apply(name, at, content);
            case "delete" -> delete(name, at, content);
            case "change" -> change(name, at, content);
            case "wait" ->
                duration(at, content)
                        .map(time -> new ScenarioManifest.Wait(title(name, "wait " + content.asText()), time));
            case "fault" -> fault(name, at, content);
            default -> expect(name, at, content);
        };
    }

    private Optional<Step> apply(@Nullable String name, String path, JsonNode content) {
        var objects = new ArrayList<JsonNode>();
        var what = new ArrayList<String>();
        each(path, content, (at, item) -> {
            if (item.isTextual()) {
                what.add(item.asText());
                fromFile(at, item.asText(), objects);
            } else if (item.isObject() && ApiObjects.isKnown(item)) {
                what.add(item.path("kind").asText().toLowerCase(Locale.ROOT) + "/"
                        + item.path("metadata").path("name").asText());
                objects.add(item);
            } else {
                problem(at, item, "a path, or an object of one of the kinds " + new TreeSet<>(ApiObjects.kinds()));
            }
        });
        return Optional.of(new ScenarioManifest.Apply(title(name, "apply " + String.join(", ", what)), objects));
    }

    private void fromFile(String at, String file, List<JsonNode> objects) {
        try {
            files.apply(file).stream().filter(ApiObjects::isKnown).forEach(objects::add);
        } catch (SimulationException e) {
            e.messages().forEach(message -> problems.add(at + ": " + message));
        }
    }

    private Optional<Step> delete(@Nullable String name, String path, JsonNode content) {
        var names = new ArrayList<ObjectName>();
        each(path, content, (at, item) -> objectName(at, item).ifPresent(names::add));
        String what = names.stream().map(ObjectName::toString).collect(Collectors.joining(", "));
        return Optional.of(new ScenarioManifest.Delete(title(name, "delete " + what), names));
    }

    private Optional<Step> change(@Nullable String name, String path, JsonNode content) {
        onlyFields(path, content, List.of("object", "patch"));
        if (!content.path("patch").isObject()) {
            return problem(path + ".patch", content.path("patch"), "a JSON merge patch, such as {spec: {count: 2}}");
        }
        return objectName(path + ".object", content.path("object"))
                .map(object -> new ScenarioManifest.Change(
                        title(name, "change " + object + ": " + content.get("patch")), object, content.get("patch")));
    }

    private Optional<Step> fault(@Nullable String name, String path, JsonNode content) {
        onlyFields(path, content, List.of("fakeGpu", "fault"));
        if (!content.path("fakeGpu").isTextual()) {
            return problem(path + ".fakeGpu", content.path("fakeGpu"), "the name of a FakeGpu");
        }
        if (!content.path("fault").path("name").isTextual()) {
            return problem(path + ".fault", content.path("fault"), "an entry of spec.faults, with a name");
        }
        return Optional.of(new ScenarioManifest.Fault(
                title(
                        name,
                        "fault of fakegpu/%s: %s"
                                .formatted(content.get("fakeGpu").asText(), content.get("fault"))),
                content.get("fakeGpu").asText(),
                content.get("fault")));
    }

    private Optional<Step> expect(@Nullable String name, String path, JsonNode content) {
        var expectations = new ArrayList<Expectation>();
        each(path, content, (at, item) -> expectation(at, item).ifPresent(expectations::add));
        return Optional.of(new ScenarioManifest.Expect(name == null ? "" : name, expectations));
    }

    private Optional<Expectation> expectation(String path, JsonNode item) {
        onlyFields(path, item, OF_EXPECTATION);
        List<Subject> subjects = Arrays.stream(Subject.values())
                .filter(subject -> item.hasNonNull(subject.name()))
                .toList();
        if (subjects.size() != 1) {
            return problem(path, item, "exactly one of pod, claim and count");
        }
        Subject subject = subjects.get(0);
        String name = item.get(subject.name()).asText();
        if (subject == Subject.count && !List.of("pods", "claims").contains(name)) {
            problem(path + ".count", item.get("count"), "pods or claims");
        }
        if (!subject.states().contains(item.path("is").asText())) {
            problem(path + ".is", item.path("is"), String.join(", ", subject.states()));
        }
        if (subject == Subject.count != item.path("number").isInt()) {
            problem(path + ".number", item.path("number"), "a number, for count only");
        }
        return Optional.of(new Expectation(
                subject,
                item.path("namespace").asText("default"),
                name,
                item.path("is").asText(),
                text(item, "node"),
                text(item, "device"),
                text(item, "reason"),
                text(item, "says"),
                item.path("number").asInt()));
    }

    private static @Nullable String text(JsonNode item, String field) {
        return item.hasNonNull(field) ? item.get(field).asText() : null;
    }

    private Optional<Duration> duration(String path, JsonNode content) {
        return Durations.parse(content.asText()).or(() -> problem(path, content, Durations.ALLOWED));
    }

    private Optional<ObjectName> objectName(String path, JsonNode item) {
        return ObjectName.parse(item.asText())
                .or(() -> problem(path, item, "kind/name or kind/namespace/name, such as pod/pod-a"));
    }

    private interface Item {
        void read(String path, JsonNode item);
    }

    /** The items of a list; a single item counts as a list of one. */
    private static void each(String path, JsonNode content, Item reader) {
        if (!content.isArray()) {
            reader.read(path, content);
            return;
        }
        for (int i = 0; i < content.size(); i++) {
            reader.read(path + "[" + i + "]", content.get(i));
        }
    }

    private void onlyFields(String path, JsonNode object, List<String> allowed) {
        object.fieldNames().forEachRemaining(field -> {
            if (!allowed.contains(field)) {
                problems.add(FieldProblem.sentence(
                        path.isEmpty() ? field : path + "." + field, "", "is no field", String.join(", ", allowed)));
            }
        });
    }

    private <T> Optional<T> problem(String path, JsonNode value, String allowed) {
        String text = value.isTextual() ? value.asText() : value.toString();
        problems.add(FieldProblem.sentence(path, text, text.isEmpty() ? "is missing" : "is not valid", allowed));
        return Optional.empty();
    }

    private static String title(@Nullable String name, String otherwise) {
        return name == null ? otherwise : name;
    }
}
