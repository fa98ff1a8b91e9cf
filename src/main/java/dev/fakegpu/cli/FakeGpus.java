package dev.fakegpu.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.inventory.SpecProblem;
import dev.fakegpu.render.SliceRenderer;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Reads FakeGpus, and rejects what the API server or the operator would reject. */
final class FakeGpus {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MAX_ALLOWED_SHOWN = 20;

    private FakeGpus() {}

    /** A FakeGpu without problems. */
    record Named(String name, FakeGpuSpec spec) {}

    static boolean isOne(Manifest manifest) {
        return manifest.isA(FakeGpu.GROUP, "FakeGpu");
    }

    /** @throws InvalidInputException with a message for each problem, worded as by the operator */
    static Named read(Manifest manifest, SliceRenderer renderer) {
        FakeGpuSpec spec = spec(manifest);
        List<SpecProblem> problems = renderer.check(manifest.name(), spec);
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems.stream()
                    .map(problem -> manifest.title() + ": " + problem.sentence())
                    .toList());
        }
        return new Named(manifest.name(), spec);
    }

    /** @throws InvalidInputException if a field is unknown or has another shape */
    static FakeGpuSpec spec(Manifest manifest) {
        if (!manifest.json().path("spec").isObject()) {
            throw new InvalidInputException(manifest.title() + ": has no spec");
        }
        try {
            return JSON.treeToValue(manifest.json().path("spec"), FakeGpuSpec.class);
        } catch (JsonProcessingException e) {
            throw new InvalidInputException(
                    manifest.title() + ": " + sentence(manifest.json().path("spec"), e));
        }
    }

    private static String sentence(JsonNode spec, JsonProcessingException e) {
        if (e instanceof UnrecognizedPropertyException unknown) {
            return new SpecProblem(
                            path(unknown),
                            unknown.getPropertyName(),
                            "is no field",
                            oneOf(unknown.getKnownPropertyIds().stream()
                                    .map(String::valueOf)
                                    .sorted()
                                    .toList()))
                    .sentence();
        }
        if (e instanceof InvalidFormatException wrong && wrong.getTargetType().isEnum()) {
            return new SpecProblem(
                            path(wrong),
                            String.valueOf(wrong.getValue()),
                            "is not known",
                            oneOf(Arrays.stream(wrong.getTargetType().getEnumConstants())
                                    .map(String::valueOf)
                                    .toList()))
                    .sentence();
        }
        if (e instanceof MismatchedInputException wrong && wrong.getTargetType() != null) {
            return new SpecProblem(path(wrong), value(spec, wrong), "has another shape", shape(wrong.getTargetType()))
                    .sentence();
        }
        return e instanceof JsonMappingException wrong
                ? path(wrong) + ": " + wrong.getOriginalMessage()
                : e.getOriginalMessage();
    }

    private static String value(JsonNode spec, JsonMappingException e) {
        JsonNode value = spec;
        for (JsonMappingException.Reference step : e.getPath()) {
            value = step.getFieldName() == null ? value.path(step.getIndex()) : value.path(step.getFieldName());
        }
        return value.isTextual() ? value.asText() : value.toString();
    }

    private static String shape(Class<?> type) {
        if (Collection.class.isAssignableFrom(type)) {
            return "a list";
        }
        if (type == Boolean.class || type == boolean.class) {
            return "true or false";
        }
        if (Number.class.isAssignableFrom(type)) {
            return "a number";
        }
        return type == String.class ? "a string" : "an object";
    }

    private static String oneOf(List<String> names) {
        return names.stream().limit(MAX_ALLOWED_SHOWN).collect(Collectors.joining(", "))
                + (names.size() > MAX_ALLOWED_SHOWN ? ", ..." : "");
    }

    private static String path(JsonMappingException e) {
        var path = new StringBuilder("spec");
        for (JsonMappingException.Reference step : e.getPath()) {
            if (step.getFieldName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append('.').append(Objects.requireNonNull(step.getFieldName()));
            }
        }
        return path.toString();
    }
}
