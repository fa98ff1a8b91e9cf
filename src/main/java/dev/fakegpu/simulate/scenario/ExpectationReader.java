package dev.fakegpu.simulate.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.fakegpu.kube.manifest.ManifestFields;
import dev.fakegpu.simulate.memory.ApiObjects;
import dev.fakegpu.simulate.scenario.WorkloadExpectation.Subject;
import dev.fakegpu.simulate.scenario.WorkloadExpectation.Why;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the expectations of a scenario. */
final class ExpectationReader {

    private static final List<String> COUNTED = List.of("pods", "claims");

    /** The subjects of expectations, with the fields that each allows. */
    private enum About {
        pod("namespace", "is", "node", "reason", "says"),
        claim("namespace", "is", "device", "number", "reason", "says"),
        count("is", "number"),
        object("is", "has"),
        condition("of", "is", "reason", "says"),
        event("of", "says", "number"),
        published("of", "node", "pool", "driver", "has", "number");

        private final List<String> fields;

        About(String... fields) {
            this.fields =
                    Stream.concat(Stream.of(name()), Arrays.stream(fields)).toList();
        }
    }

    private static final List<String> FIELDS = Arrays.stream(About.values())
            .flatMap(about -> about.fields.stream())
            .distinct()
            .toList();

    private static final String ALLOWED = "exactly one of pod, claim, count, object, condition, event and published";

    private final ScenarioProblems problems;
    private final ScenarioObjects objects;

    ExpectationReader(ScenarioProblems problems, ScenarioObjects objects) {
        this.problems = problems;
        this.objects = objects;
    }

    /** The expectation; empty if problems keep it from being read. */
    Optional<Expectation> read(String path, JsonNode item) {
        List<About> about = Arrays.stream(About.values())
                .filter(subject -> item.hasNonNull(subject.name()))
                .toList();
        if (about.size() != 1) {
            return problems.isObject(path, item, FIELDS)
                    ? problems.add(path, about.isEmpty() ? "is about nothing" : "is about " + words(about), ALLOWED)
                    : Optional.empty();
        }
        About subject = about.get(0);
        problems.isObject(path, item, subject.fields);
        return switch (subject) {
            case pod -> workload(Subject.pod, path, item);
            case claim -> workload(Subject.claim, path, item);
            case count -> workload(Subject.count, path, item);
            case object -> object(path, item);
            case condition -> condition(path, item);
            case event -> event(path, item);
            case published -> published(path, item);
        };
    }

    private static String words(List<About> about) {
        return String.join(" and ", about.stream().map(Enum::name).toList());
    }

    private Optional<Expectation> workload(Subject subject, String path, JsonNode item) {
        String name = text(path, item, subject.name());
        if (subject == Subject.count && !COUNTED.contains(name)) {
            problems.add(path + ".count", item.get("count"), COUNTED, "pods or claims");
        }
        @Nullable Integer number = number(path, item);
        if (subject == Subject.count && item.path("number").isMissingNode()) {
            problems.add(path + ".number", item.path("number"), "an integer: how many");
        }
        @Nullable String namespace = problems.text(path, item, "namespace");
        return Optional.of(new WorkloadExpectation(
                subject,
                namespace == null ? "default" : namespace,
                name,
                state(path, item, subject.states()),
                problems.text(path, item, "node"),
                problems.text(path, item, "device"),
                why(path, item),
                number));
    }

    private Optional<Expectation> object(String path, JsonNode item) {
        String is = item.has("is") ? state(path, item, List.of("Present", "Gone")) : "Present";
        return objects.name(path + ".object", item.path("object"))
                .map(name -> new ObjectExpectation(
                        name,
                        is.equals("Present"),
                        part(path, item, (json, at) -> ApiObjects.problemsOfPart(json, name.kind(), at))));
    }

    private Optional<Expectation> condition(String path, JsonNode item) {
        String type = text(path, item, "condition");
        String is = state(path, item, ConditionExpectation.STATES);
        return objects.name(path + ".of", item.path("of"))
                .map(name -> new ConditionExpectation(type, name, is, why(path, item)));
    }

    private Optional<Expectation> event(String path, JsonNode item) {
        String reason = text(path, item, "event");
        @Nullable String says = problems.text(path, item, "says");
        @Nullable Integer number = number(path, item);
        return objects.name(path + ".of", item.path("of"))
                .map(name -> new EventExpectation(reason, name, says, number));
    }

    private Optional<Expectation> published(String path, JsonNode item) {
        var place = new PublishedExpectation.Place(
                problems.text(path, item, "node"),
                problems.text(path, item, "pool"),
                problems.text(path, item, "driver"));
        @Nullable Integer number = number(path, item);
        JsonNode fields = part(path, item, (json, at) -> ManifestFields.problems(json, Device.class, at));
        return objects.name(path + ".of", item.path("of"))
                .filter(name -> name.kind().equals("FakeGpu")
                        || problems.add(path + ".of", item.path("of"), "a FakeGpu, such as fakegpu/a100")
                                .isPresent())
                .map(name ->
                        new PublishedExpectation(text(path, item, "published"), name.name(), place, fields, number));
    }

    private interface PartCheck {
        List<String> problems(JsonNode part, String path);
    }

    private JsonNode part(String path, JsonNode item, PartCheck check) {
        JsonNode part = item.path("has");
        if (part.isMissingNode()) {
            return JsonNodeFactory.instance.objectNode();
        }
        if (!part.isObject()) {
            problems.add(path + ".has", part, "a part of the object, such as {spec: {count: 2}}");
            return JsonNodeFactory.instance.objectNode();
        }
        problems.addAll(check.problems(JsonPart.withoutPatterns(part), path + ".has"));
        return part;
    }

    private Why why(String path, JsonNode item) {
        return new Why(problems.text(path, item, "reason"), problems.text(path, item, "says"));
    }

    /** YAML parses {@code True} as a boolean. */
    private String state(String path, JsonNode item, List<String> allowed) {
        JsonNode value = item.path("is");
        String text = text(path, item, "is");
        String is = value.isBoolean() ? text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1) : text;
        if (!allowed.contains(is)) {
            problems.add(path + ".is", value, allowed, "one of " + String.join(", ", allowed));
        }
        return is;
    }

    private String text(String path, JsonNode item, String field) {
        String text = problems.text(path, item, field);
        return text == null ? "" : text;
    }

    private @Nullable Integer number(String path, JsonNode item) {
        JsonNode number = item.path("number");
        if (number.isMissingNode()) {
            return null;
        }
        if (!number.isInt()) {
            problems.add(path + ".number", number, "an integer: how many");
        }
        return number.asInt();
    }
}
