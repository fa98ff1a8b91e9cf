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
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.RawJson;
import java.io.IOException;
import java.io.Serial;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The configuration API of a driver, decoded as strictly as the driver decodes it: unknown fields and wrong types are errors. */
enum VendorApi {
    NVIDIA(
            "gpu.nvidia.com",
            "resource.nvidia.com/v1beta1",
            Map.of(
                    "GpuConfig", NvidiaConfig.GpuConfig.class,
                    "MigDeviceConfig", NvidiaConfig.MigDeviceConfig.class,
                    "VfioDeviceConfig", NvidiaConfig.VfioDeviceConfig.class,
                    "VgpuDeviceConfig", NvidiaConfig.VgpuDeviceConfig.class)),
    EXAMPLE(
            "gpu.example.com",
            "gpu.resource.example.com/v1alpha1",
            Map.of("GpuConfig", ExampleDriverConfig.GpuConfig.class));

    private static final ObjectMapper STRICT = JsonMapper.builder()
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

    private final String driver;
    private final String apiVersion;
    private final Map<String, Class<? extends VendorConfig>> kinds;

    VendorApi(String driver, String apiVersion, Map<String, Class<? extends VendorConfig>> kinds) {
        this.driver = driver;
        this.apiVersion = apiVersion;
        this.kinds = new TreeMap<>(kinds);
    }

    static Optional<VendorApi> of(String driver) {
        return Arrays.stream(values()).filter(api -> api.driver.equals(driver)).findFirst();
    }

    /** Exactly one of the two is set. */
    record Decoded(@Nullable VendorConfig config, @Nullable ConfigError error) {}

    /** The kinds that apply to a type of device, as text. */
    String kindsFor(String deviceType) {
        String fitting = kinds.keySet().stream()
                .filter(kind ->
                        (deviceType + (kind.equals("GpuConfig") ? "Config" : "DeviceConfig")).equalsIgnoreCase(kind))
                .collect(Collectors.joining(", "));
        return fitting.isEmpty() ? "no configuration" : fitting;
    }

    Decoded decode(RawJson parameters) {
        JsonNode tree;
        try {
            tree = STRICT.readTree(parameters.text());
        } catch (JsonProcessingException e) {
            return failed("", "", "cannot be read: " + e.getOriginalMessage(), "what its API describes");
        }
        if (!tree.isObject()) {
            return failed("", shown(tree), "is no object", "an object with apiVersion and kind");
        }
        String version = tree.path("apiVersion").asText();
        if (!version.equals(apiVersion)) {
            return failed("apiVersion", version, version.isEmpty() ? "is missing" : "is unknown", apiVersion);
        }
        String kind = tree.path("kind").asText();
        Class<? extends VendorConfig> type = kinds.get(kind);
        if (type == null) {
            return failed(
                    "kind", kind, kind.isEmpty() ? "is missing" : "is unknown", String.join(", ", kinds.keySet()));
        }
        try {
            return new Decoded(STRICT.treeToValue(tree, type), null);
        } catch (UnrecognizedPropertyException e) {
            return failed(path(e), shown(at(tree, e)), "is in an unknown field", fields(e));
        } catch (MismatchedInputException e) {
            return failed(path(e), shown(at(tree, e)), "is of the wrong type", expected(e));
        } catch (JsonProcessingException e) {
            return failed("", kind, "cannot be read: " + e.getOriginalMessage(), "what its API describes");
        }
    }

    private static Decoded failed(String field, String value, String problem, String allowed) {
        return new Decoded(null, new ConfigError(field, value, problem, allowed));
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
