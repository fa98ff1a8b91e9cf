package dev.fakegpu.simulate.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.api.FaultSpec;
import dev.fakegpu.cluster.validation.ApiServer;
import dev.fakegpu.kube.manifest.KnownKind;
import dev.fakegpu.kube.manifest.ManifestFields;
import dev.fakegpu.kube.manifest.OlderVersion;
import dev.fakegpu.simulate.Durations;
import dev.fakegpu.simulate.NotPlayed;
import dev.fakegpu.simulate.Schedulers;
import dev.fakegpu.simulate.memory.ApiObjects;
import dev.fakegpu.simulate.memory.ObjectName;
import dev.fakegpu.simulate.memory.SimulationException;
import dev.fakegpu.simulate.scenario.ScenarioManifest.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a scenario and collects all its problems, each with the path, the value and what is allowed. */
final class ScenarioReader {

    private static final String VERSION = "fakegpu.dev/v1alpha1";
    private static final List<String> ACTIONS = List.of("apply", "delete", "change", "wait", "fault", "expect");
    private static final List<String> OF_STEP =
            Stream.concat(Stream.of("name"), ACTIONS.stream()).toList();

    private final ApiServer server;
    private final Function<String, List<JsonNode>> files;
    private final ScenarioProblems problems = new ScenarioProblems();
    private final ScenarioObjects names = new ScenarioObjects(problems);

    ScenarioReader(ApiServer server, Function<String, List<JsonNode>> files) {
        this.server = server;
        this.files = files;
    }

    ScenarioManifest read(JsonNode json) {
        if (!json.path("apiVersion").asText().equals(VERSION)) {
            problems.add("apiVersion", json.path("apiVersion"), VERSION);
        }
        problems.isObject("", json, List.of("apiVersion", "kind", "metadata", "scheduler", "steps"));
        @Nullable Schedulers scheduler = scheduler(json.path("scheduler"));
        var steps = new ArrayList<Step>();
        if (json.path("steps").isArray() && !json.path("steps").isEmpty()) {
            each("steps", json.path("steps"), (at, item) -> step(at, item).ifPresent(steps::add));
        } else {
            problems.add("steps", json.path("steps"), "a list of steps");
        }
        if (!problems.sentences().isEmpty()) {
            throw new SimulationException(problems.sentences());
        }
        return new ScenarioManifest(scheduler, steps);
    }

    private @Nullable Schedulers scheduler(JsonNode name) {
        for (Schedulers each : Schedulers.values()) {
            if (name.isTextual() && name.asText().equals(each.toString())) {
                return each;
            }
        }
        if (!name.isMissingNode()) {
            List<String> known =
                    Stream.of(Schedulers.values()).map(Schedulers::toString).toList();
            problems.add("scheduler", name, known, "one of " + String.join(", ", known));
        }
        return null;
    }

    private Optional<Step> step(String path, JsonNode step) {
        if (!problems.isObject(path, step, OF_STEP)) {
            return Optional.empty();
        }
        List<String> actions = ACTIONS.stream().filter(step::has).toList();
        if (actions.size() != 1) {
            return problems.add(
                    path,
                    actions.isEmpty() ? "has no action" : "has " + String.join(" and ", actions),
                    "exactly one of " + String.join(", ", ACTIONS));
        }
        String action = actions.get(0);
        JsonNode content = step.get(action);
        String at = path + "." + action;
        @Nullable String name = problems.text(path, step, "name");
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
            } else if (item.isObject()) {
                what.add(item.path("kind").asText().toLowerCase(Locale.ROOT) + "/"
                        + item.path("metadata").path("name").asText());
                JsonNode object = OlderVersion.convert(item)
                        .<JsonNode>map(OlderVersion.Converted::object)
                        .orElse(item);
                KnownKind.unserved(
                                item.path("kind").asText(),
                                item.path("apiVersion").asText(),
                                server.version())
                        .ifPresent(problem -> problems.addAll(List.of(at + "." + problem)));
                object(at, object);
                objects.add(object);
            } else {
                problems.add(at, item, "the path of a file or folder, or an object");
            }
        });
        return Optional.of(new ScenarioManifest.Apply(title(name, "apply " + String.join(", ", what)), objects));
    }

    private void object(String at, JsonNode item) {
        if (ApiObjects.isKnown(item)) {
            problems.addAll(ApiObjects.problems(item, at, server));
            return;
        }
        List<String> misspelling = KnownKind.misspelling(item, ApiObjects.versions());
        if (!misspelling.isEmpty()) {
            problems.addAll(
                    misspelling.stream().map(problem -> at + "." + problem).toList());
        } else if (!item.path("kind").isTextual()) {
            problems.add(at + ".kind", item.path("kind"), "one of " + String.join(", ", ApiObjects.kinds()));
        } else {
            problems.add(
                    at,
                    "is a %s of apiVersion \"%s\": %s"
                            .formatted(
                                    item.path("kind").asText(),
                                    item.path("apiVersion").asText(),
                                    NotPlayed.consequence(item)),
                    "one of " + String.join(", ", ApiObjects.kinds()));
        }
    }

    private void fromFile(String at, String file, List<JsonNode> objects) {
        try {
            objects.addAll(files.apply(file));
        } catch (SimulationException e) {
            problems.addAll(
                    e.messages().stream().map(message -> at + ": " + message).toList());
        }
    }

    private Optional<Step> delete(@Nullable String name, String path, JsonNode content) {
        var deleted = new ArrayList<ObjectName>();
        each(path, content, (at, item) -> names.name(at, item).ifPresent(deleted::add));
        String what = deleted.stream().map(ObjectName::toString).collect(Collectors.joining(", "));
        return Optional.of(new ScenarioManifest.Delete(title(name, "delete " + what), deleted));
    }

    private Optional<Step> change(@Nullable String name, String path, JsonNode content) {
        if (!problems.isObject(path, content, List.of("object", "patch"))) {
            return Optional.empty();
        }
        JsonNode patch = content.path("patch");
        if (!patch.isObject()) {
            problems.add(path + ".patch", patch, "a JSON merge patch, such as {spec: {count: 2}}");
        }
        Optional<ObjectName> object = names.name(path + ".object", content.path("object"));
        object.filter(found -> patch.isObject())
                .ifPresent(found -> problems.addAll(ApiObjects.problemsOfPatch(patch, found, path + ".patch")));
        return object.map(
                found -> new ScenarioManifest.Change(title(name, "change " + found + ": " + patch), found, patch));
    }

    private Optional<Step> fault(@Nullable String name, String path, JsonNode content) {
        if (!problems.isObject(path, content, List.of("fakeGpu", "fault"))) {
            return Optional.empty();
        }
        JsonNode fakeGpu = content.path("fakeGpu");
        if (!fakeGpu.isTextual()) {
            problems.add(path + ".fakeGpu", fakeGpu, "the name of a FakeGpu");
        }
        JsonNode fault = content.path("fault");
        if (!fault.path("name").isTextual()) {
            problems.add(path + ".fault", fault, "an entry of spec.faults, with a name");
        } else {
            problems.addAll(ManifestFields.problems(fault, FaultSpec.class, path + ".fault"));
        }
        return Optional.of(new ScenarioManifest.Fault(
                title(name, "fault of fakegpu/%s: %s".formatted(fakeGpu.asText(), fault)), fakeGpu.asText(), fault));
    }

    private Optional<Step> expect(@Nullable String name, String path, JsonNode content) {
        var expectations = new ArrayList<Expectation>();
        var reader = new ExpectationReader(problems, names);
        each(path, content, (at, item) -> reader.read(at, item).ifPresent(expectations::add));
        return Optional.of(new ScenarioManifest.Expect(name == null ? "" : name, expectations));
    }

    private Optional<Duration> duration(String path, JsonNode content) {
        return Durations.parse(content.asText()).or(() -> problems.add(path, content, Durations.ALLOWED));
    }

    private interface Item {
        void read(String path, JsonNode item);
    }

    /** Reads each item of a list. A single item counts as a list with one item. */
    private void each(String path, JsonNode content, Item reader) {
        if (!content.isArray()) {
            reader.read(path, content);
            return;
        }
        if (content.isEmpty()) {
            problems.add(path, "is empty", "at least one entry");
        }
        for (int i = 0; i < content.size(); i++) {
            reader.read(path + "[" + i + "]", content.get(i));
        }
    }

    private static String title(@Nullable String name, String otherwise) {
        return name == null ? otherwise : name;
    }
}
