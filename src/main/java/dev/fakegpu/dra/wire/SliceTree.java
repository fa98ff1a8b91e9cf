package dev.fakegpu.dra.wire;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads slices from JSON without the client's model, which takes ten times as long. Reads what {@link SliceReader} does, but only slices of
 * the known form: whatever is unusual about a slice, such as a field of another type or a node selector, is left to the client's model.
 * Thread-safe.
 */
final class SliceTree {

    /** Catalogs have a few dozen; hostile slices may have any number. */
    private static final int REMEMBERED_QUANTITIES = 10_000;

    /** The slice is not of the usual form. */
    private static final class Unusual extends RuntimeException {
        private static final long serialVersionUID = 1;
        private static final Unusual INSTANCE = new Unusual();

        private Unusual() {
            super("", null, false, false);
        }
    }

    private final Map<String, Quantity> quantities = new ConcurrentHashMap<>();

    /** @param object a ResourceSlice; empty if it is not of the usual form */
    Optional<Slice> read(JsonNode object) {
        try {
            return Optional.of(slice(object));
        } catch (IllegalArgumentException | Unusual e) {
            return Optional.empty();
        }
    }

    private Slice slice(JsonNode object) {
        JsonNode spec = object(object, "spec");
        JsonNode pool = object(spec, "pool");
        if (spec.has("nodeSelector")) {
            throw Unusual.INSTANCE;
        }
        return new Slice(
                text(object(object, "metadata"), "name"),
                new PoolId(text(spec, "driver"), text(pool, "name")),
                number(pool, "generation"),
                number(pool, "resourceSliceCount"),
                nodes(spec),
                spec.has("perDeviceNodeSelection") ? bool(spec, "perDeviceNodeSelection") : null,
                list(spec, "sharedCounters", this::counterSet),
                list(spec, "devices", this::device),
                texts(spec, "skipNodeOperations"),
                optionalText(spec, "partitionTypeAttribute"));
    }

    private static NodeSelection nodes(JsonNode of) {
        String nodeName = optionalText(of, "nodeName");
        boolean all = bool(of, "allNodes");
        if (nodeName != null && (all || nodeName.isEmpty())) {
            throw Unusual.INSTANCE;
        }
        return nodeName != null
                ? new NodeSelection.NodeName(nodeName)
                : all ? new NodeSelection.AllNodes() : new NodeSelection.None();
    }

    private CounterSet counterSet(JsonNode set) {
        return new CounterSet(text(set, "name"), counters(set));
    }

    private Device device(JsonNode device) {
        if (device.has("nodeSelector")) {
            throw Unusual.INSTANCE;
        }
        NodeSelection nodes = nodes(device);
        return new Device(
                text(device, "name"),
                map(device, "attributes", (name, value) -> attribute(value)),
                map(device, "capacity", (name, value) -> capacity(value)),
                list(device, "consumesCounters", this::consumption),
                list(device, "taints", SliceTree::taint),
                bool(device, "allowMultipleAllocations"),
                nodes instanceof NodeSelection.None ? null : nodes,
                binding(device));
    }

    private static Device.Binding binding(JsonNode device) {
        return device.has("bindsToNode") || device.has("bindingConditions") || device.has("bindingFailureConditions")
                ? new Device.Binding(
                        bool(device, "bindsToNode"),
                        texts(device, "bindingConditions"),
                        texts(device, "bindingFailureConditions"))
                : Device.Binding.NONE;
    }

    private static AttributeValue attribute(JsonNode attribute) {
        if (attribute.size() != 1) {
            throw Unusual.INSTANCE;
        }
        var field = attribute.properties().iterator().next();
        JsonNode value = field.getValue();
        if (value.isArray() && value.isEmpty()) {
            throw Unusual.INSTANCE;
        }
        return switch (field.getKey()) {
            case "string" -> AttributeValue.of(text(value));
            case "int" -> AttributeValue.of(number(value));
            case "bool" -> AttributeValue.of(bool(value));
            case "version" -> AttributeValue.version(text(value));
            case "strings" -> AttributeValue.strings(elements(value, SliceTree::text));
            case "ints" -> AttributeValue.ints(elements(value, SliceTree::number));
            case "bools" -> AttributeValue.bools(elements(value, SliceTree::bool));
            case "versions" -> AttributeValue.versions(elements(value, SliceTree::text));
            default -> throw Unusual.INSTANCE;
        };
    }

    private DeviceCapacity capacity(JsonNode capacity) {
        return new DeviceCapacity(
                quantity(text(capacity, "value")),
                capacity.has("requestPolicy") ? policy(object(capacity, "requestPolicy")) : null);
    }

    private DeviceCapacity.RequestPolicy policy(JsonNode policy) {
        JsonNode values = policy.get("validValues");
        return new DeviceCapacity.RequestPolicy(
                optionalQuantity(policy, "default"),
                values == null ? List.of() : elements(values, value -> quantity(text(value))),
                policy.has("validRange") ? range(object(policy, "validRange")) : null);
    }

    private DeviceCapacity.Range range(JsonNode range) {
        return new DeviceCapacity.Range(
                optionalQuantity(range, "min"), optionalQuantity(range, "max"), optionalQuantity(range, "step"));
    }

    private CounterConsumption consumption(JsonNode consumption) {
        return new CounterConsumption(
                text(consumption, "counterSet"), counters(consumption), texts(consumption, "compatibilityGroups"));
    }

    private static DeviceTaint taint(JsonNode taint) {
        String value = optionalText(taint, "value");
        return new DeviceTaint(
                text(taint, "key"),
                value == null ? "" : value,
                text(taint, "effect"),
                SliceReader.time(optionalText(taint, "timeAdded")));
    }

    private Map<String, Quantity> counters(JsonNode of) {
        return map(of, "counters", (name, counter) -> quantity(text(counter, "value")));
    }

    private @Nullable Quantity optionalQuantity(JsonNode of, String field) {
        String text = optionalText(of, field);
        return text == null ? null : quantity(text);
    }

    private Quantity quantity(String text) {
        Quantity known = quantities.get(text);
        if (known == null) {
            known = Quantity.parse(text);
            if (quantities.size() < REMEMBERED_QUANTITIES) {
                quantities.put(text, known);
            }
        }
        return known;
    }

    private static <T> List<T> list(JsonNode of, String field, Function<JsonNode, T> read) {
        JsonNode list = of.get(field);
        if (list == null) {
            return List.of();
        }
        return elements(list, element -> {
            if (!element.isObject()) {
                throw Unusual.INSTANCE;
            }
            return read.apply(element);
        });
    }

    private static List<String> texts(JsonNode of, String field) {
        JsonNode list = of.get(field);
        return list == null ? List.of() : elements(list, SliceTree::text);
    }

    private static <T> List<T> elements(JsonNode list, Function<JsonNode, T> read) {
        if (!list.isArray()) {
            throw Unusual.INSTANCE;
        }
        var result = new ArrayList<T>(list.size());
        list.forEach(element -> result.add(read.apply(element)));
        return result;
    }

    private static <T> Map<String, T> map(JsonNode of, String field, BiFunction<String, JsonNode, T> read) {
        JsonNode map = of.get(field);
        if (map == null) {
            return Map.of();
        }
        if (!map.isObject()) {
            throw Unusual.INSTANCE;
        }
        var result = new LinkedHashMap<String, T>();
        for (var entry : map.properties()) {
            if (!entry.getValue().isObject()) {
                throw Unusual.INSTANCE;
            }
            result.put(entry.getKey(), read.apply(entry.getKey(), entry.getValue()));
        }
        return result;
    }

    private static JsonNode object(JsonNode of, String field) {
        JsonNode value = of.get(field);
        if (value == null || !value.isObject()) {
            throw Unusual.INSTANCE;
        }
        return value;
    }

    private static String text(JsonNode of, String field) {
        String text = optionalText(of, field);
        if (text == null) {
            throw Unusual.INSTANCE;
        }
        return text;
    }

    private static @Nullable String optionalText(JsonNode of, String field) {
        JsonNode value = of.get(field);
        return value == null ? null : text(value);
    }

    private static String text(JsonNode value) {
        if (!value.isTextual()) {
            throw Unusual.INSTANCE;
        }
        return value.textValue();
    }

    private static long number(JsonNode of, String field) {
        JsonNode value = of.get(field);
        if (value == null) {
            throw Unusual.INSTANCE;
        }
        return number(value);
    }

    private static long number(JsonNode value) {
        if (!value.canConvertToLong() || !value.isIntegralNumber()) {
            throw Unusual.INSTANCE;
        }
        return value.longValue();
    }

    private static boolean bool(JsonNode of, String field) {
        JsonNode value = of.get(field);
        return value != null && bool(value);
    }

    private static boolean bool(JsonNode value) {
        if (!value.isBoolean()) {
            throw Unusual.INSTANCE;
        }
        return value.booleanValue();
    }
}
