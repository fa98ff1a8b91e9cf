package dev.fakegpu.operator.prepare.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.type.LogicalType;
import dev.fakegpu.api.ContainersSpec.Convention;
import dev.fakegpu.dra.ApiJson;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.RawJson;
import java.io.IOException;
import java.io.Serial;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The configuration APIs of drivers, decoded as strictly as the driver decodes them: unknown fields and wrong types are errors. */
enum VendorApi {
    NVIDIA(
            Set.of(Convention.NVIDIA),
            "resource.nvidia.com/v1beta1",
            Map.of(
                    "GpuConfig", NvidiaConfig.GpuConfig.class,
                    "MigDeviceConfig", NvidiaConfig.MigDeviceConfig.class,
                    "VfioDeviceConfig", NvidiaConfig.VfioDeviceConfig.class,
                    "VgpuDeviceConfig", NvidiaConfig.VgpuDeviceConfig.class)),
    EXAMPLE(
            Set.of(Convention.DRA_EXAMPLE_DRIVER, Convention.RUN_AI),
            "gpu.resource.example.com/v1alpha1",
            Map.of("GpuConfig", ExampleDriverConfig.GpuConfig.class));

    private static final ObjectMapper STRICT = JsonMapper.builder(ApiJson.forParts())
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .withCoercionConfig(
                    LogicalType.Textual,
                    config -> config.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
            .addModule(new SimpleModule().addDeserializer(Quantity.class, new QuantityReader()))
            .build();

    private final Set<Convention> conventions;
    private final String apiVersion;
    private final Map<String, Class<? extends VendorConfig>> kinds;

    VendorApi(Set<Convention> conventions, String apiVersion, Map<String, Class<? extends VendorConfig>> kinds) {
        this.conventions = conventions;
        this.apiVersion = apiVersion;
        this.kinds = new TreeMap<>(kinds);
    }

    /** The result of decoding. */
    sealed interface Decoded {

        record Config(VendorApi api, VendorConfig config) implements Decoded {}

        record Wrong(ConfigError error) implements Decoded {}

        /** The object has an unknown API, and is for hardware that follows no driver's conventions. */
        record Ignored() implements Decoded {}
    }

    /** The kinds that apply to a type of device, as text. */
    String kindsFor(String deviceType) {
        String fitting = kinds.keySet().stream()
                .filter(kind ->
                        (deviceType + (kind.equals("GpuConfig") ? "Config" : "DeviceConfig")).equalsIgnoreCase(kind))
                .collect(Collectors.joining(", "));
        return fitting.isEmpty() ? "no configuration" : fitting;
    }

    /**
     * Decodes a configuration object of the API that its {@code apiVersion} names.
     *
     * @param conventions the conventions of the claim's devices, which determine the possible APIs; if empty, any API is possible, even an
     *     unknown one
     */
    static Decoded decode(RawJson parameters, Set<Convention> conventions) {
        JsonNode tree;
        try {
            tree = STRICT.readTree(parameters.text());
        } catch (JsonProcessingException e) {
            return unlessAny(
                    conventions, "", "", "cannot be read: " + e.getOriginalMessage(), "what its API describes");
        }
        if (!tree.isObject()) {
            return unlessAny(conventions, "", shown(tree), "is not an object", "an object with apiVersion and kind");
        }
        String version = tree.path("apiVersion").asText();
        var possible = possible(conventions);
        var api =
                possible.stream().filter(one -> one.apiVersion.equals(version)).findFirst();
        return api.map(one -> one.decode(tree))
                .orElseGet(() -> unlessAny(
                        conventions,
                        "apiVersion",
                        version,
                        version.isEmpty() ? "is missing" : "is unknown",
                        possible.stream().map(one -> one.apiVersion).collect(Collectors.joining(", "))));
    }

    private static List<VendorApi> possible(Set<Convention> conventions) {
        return Arrays.stream(values())
                .filter(api -> conventions.isEmpty() || !Collections.disjoint(api.conventions, conventions))
                .toList();
    }

    private static Decoded unlessAny(
            Set<Convention> conventions, String field, String value, String problem, String allowed) {
        return conventions.isEmpty() ? new Decoded.Ignored() : wrong(field, value, problem, allowed);
    }

    private Decoded decode(JsonNode tree) {
        String kind = tree.path("kind").asText();
        Class<? extends VendorConfig> type = kinds.get(kind);
        if (type == null) {
            return wrong("kind", kind, kind.isEmpty() ? "is missing" : "is unknown", String.join(", ", kinds.keySet()));
        }
        try {
            return new Decoded.Config(this, STRICT.treeToValue(tree, type));
        } catch (UnrecognizedPropertyException e) {
            return wrong(path(e), shown(at(tree, e)), "is in an unknown field", fields(e));
        } catch (MismatchedInputException e) {
            return wrong(path(e), shown(at(tree, e)), "is of the wrong type", expected(e));
        } catch (JsonProcessingException e) {
            return wrong("", kind, "cannot be read: " + e.getOriginalMessage(), "what its API describes");
        }
    }

    private static Decoded wrong(String field, String value, String problem, String allowed) {
        return new Decoded.Wrong(new ConfigError(field, value, problem, allowed));
    }

    private static String path(JsonMappingException e) {
        var path = new StringBuilder();
        for (JsonMappingException.Reference step : e.getPath()) {
            if (step.getFieldName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
            }
        }
        return path.toString();
    }

    private static JsonNode at(JsonNode tree, JsonMappingException e) {
        JsonNode node = tree;
        for (JsonMappingException.Reference step : e.getPath()) {
            node = step.getFieldName() == null ? node.path(step.getIndex()) : node.path(step.getFieldName());
        }
        return node;
    }

    private static String shown(JsonNode node) {
        return node.isValueNode() ? node.asText() : node.toString();
    }

    private static String fields(UnrecognizedPropertyException e) {
        return e.getKnownPropertyIds().stream().map(String::valueOf).sorted().collect(Collectors.joining(", "));
    }

    private static String expected(MismatchedInputException e) {
        Class<?> type = e.getTargetType();
        if (type == String.class) {
            return "a string";
        }
        if (type == Integer.class) {
            return "an integer";
        }
        if (type == Boolean.class) {
            return "true, false";
        }
        return type == Quantity.class ? "a quantity such as 4Gi" : "an object";
    }

    private static final class QuantityReader extends StdScalarDeserializer<Quantity> {

        @Serial
        private static final long serialVersionUID = 1;

        QuantityReader() {
            super(Quantity.class);
        }

        @Override
        public Quantity deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            String text = parser.currentToken().isScalarValue() ? parser.getText() : "";
            try {
                return Quantity.parse(text);
            } catch (IllegalArgumentException e) {
                throw context.weirdStringException(text, Quantity.class, e.getMessage());
            }
        }
    }
}
