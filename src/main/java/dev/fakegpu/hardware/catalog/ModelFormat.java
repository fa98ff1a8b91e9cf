package dev.fakegpu.hardware.catalog;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** The format of the files in {@code catalog/}. ConfigMaps and {@code spec.modelOverrides} use it, too. */
final class ModelFormat {

    private static final ObjectMapper YAML = YAMLMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** Reads parts of trees. The deserializer of quantities ends in the middle of the tree, which must not count as trailing tokens. */
    private static final ObjectMapper VALUES = YAML.copy().disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private ModelFormat() {}

    static JsonNode tree(String yaml) throws InvalidModelException {
        try {
            return Objects.requireNonNullElse(
                    YAML.readTree(yaml), YAML.getNodeFactory().missingNode());
        } catch (JsonProcessingException e) {
            throw new InvalidModelException(
                    List.of(new ModelProblem("", "", "is not YAML: " + e.getOriginalMessage(), "one YAML document")));
        }
    }

    /** Reads a model from a tree, which must be complete and have no unknown fields. */
    static Model read(JsonNode tree) throws InvalidModelException {
        Class<? extends Model> type = type(tree);
        List<ModelProblem> problems = ModelShape.problems(tree, type);
        if (!problems.isEmpty()) {
            throw new InvalidModelException(problems);
        }
        try {
            return VALUES.treeToValue(tree, type);
        } catch (JsonProcessingException e) {
            throw new InvalidModelException(List.of(contradiction(e)));
        }
    }

    private static Class<? extends Model> type(JsonNode tree) {
        if (tree.has("template")) {
            return TemplateModel.class;
        }
        return tree.has("equalParts") ? EqualPartsModel.class : GpuModel.class;
    }

    /** Merges a partial entry over a model. */
    static Model override(Model model, ObjectNode overrides) throws InvalidModelException {
        JsonNode name = overrides.get("name");
        if (name != null && !name.asText().equals(model.name())) {
            throw new InvalidModelException(
                    List.of(new ModelProblem("name", name.asText(), "is another name than the model's", model.name())));
        }
        if (overrides.has("aliases")) {
            throw new InvalidModelException(List.of(new ModelProblem(
                    "aliases", "", "has no effect here, for the model is found before it is changed", "no aliases")));
        }
        return read(ModelOverlay.of(YAML.valueToTree(model), overrides));
    }

    private static ModelProblem contradiction(JacksonException failure) {
        String field = failure instanceof JsonMappingException mapping
                ? mapping.getPath().stream()
                        .map(step ->
                                step.getFieldName() == null ? "[" + step.getIndex() + "]" : "." + step.getFieldName())
                        .collect(Collectors.joining())
                : "";
        if (failure instanceof UnrecognizedPropertyException unknown) {
            return new ModelProblem(
                    field.substring(1),
                    "",
                    "is not a field of a model",
                    unknown.getKnownPropertyIds().stream().map(String::valueOf).collect(Collectors.joining(", ")));
        }
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return new ModelProblem(
                field.startsWith(".") ? field.substring(1) : field,
                "",
                "contradicts itself: " + cause.getMessage(),
                "");
    }
}
