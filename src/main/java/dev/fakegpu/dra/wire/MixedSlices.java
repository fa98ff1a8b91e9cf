package dev.fakegpu.dra.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.field.JsonType;
import dev.fakegpu.dra.field.SliceFields;
import dev.fakegpu.dra.mixin.HardwareWithMixins;
import dev.fakegpu.dra.mixin.MixedSlice;
import dev.fakegpu.dra.mixin.Mixins;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Reads and writes ResourceSlices as KEP-5234 proposes them, with {@code spec.mixins} and {@code includes}, which no released API serves. */
public final class MixedSlices {

    private static final ObjectMapper JSON = new ObjectMapper();

    private MixedSlices() {}

    /** Whether a ResourceSlice may have mixins. */
    public static boolean areIn(JsonNode object) {
        JsonNode spec = object.path("spec");
        return spec.has("mixins") || spec.findValue("includes") != null;
    }

    /**
     * Reads a ResourceSlice.
     *
     * @param reader reads a slice without mixins; its exceptions are not caught
     */
    public static MixedSlice read(JsonNode object, Function<JsonNode, Slice> reader) {
        Slice own = reader.apply(object);
        return areIn(object) ? new MixedSlice(own, hardware(object, own, reader)) : MixedSlice.plain(own);
    }

    private static HardwareWithMixins hardware(JsonNode object, Slice own, Function<JsonNode, Slice> reader) {
        JsonNode spec = object.path("spec");
        var counterSets = new ArrayList<Mixins.CounterSetWithMixins>();
        for (int i = 0; i < own.counterSets().size(); i++) {
            counterSets.add(new Mixins.CounterSetWithMixins(
                    own.counterSets().get(i),
                    includes(spec.path("sharedCounters").path(i))));
        }
        var devices = new ArrayList<Mixins.DeviceWithMixins>();
        for (int i = 0; i < own.devices().size(); i++) {
            JsonNode device = spec.path("devices").path(i);
            devices.add(new Mixins.DeviceWithMixins(
                    own.devices().get(i), includes(device), all(device.path("consumesCounters"))));
        }
        return new HardwareWithMixins(mixins(object, reader), counterSets, devices);
    }

    private static Mixins mixins(JsonNode object, Function<JsonNode, Slice> reader) {
        JsonNode mixins = object.path("spec").path("mixins");
        Map<String, Mixins.DeviceMixin> devices = new LinkedHashMap<>();
        // A mixin has the same fields as the object that includes it, so the same reader is used.
        reader.apply(with(object, "devices", mixins.path("device")))
                .devices()
                .forEach(device ->
                        devices.put(device.name(), new Mixins.DeviceMixin(device.attributes(), device.capacity())));
        return new Mixins(
                devices,
                counters(reader.apply(with(object, "sharedCounters", mixins.path("deviceCounterConsumption")))),
                counters(reader.apply(with(object, "sharedCounters", mixins.path("counterSet")))));
    }

    private static Map<String, Map<String, Quantity>> counters(Slice mixins) {
        Map<String, Map<String, Quantity>> counters = new LinkedHashMap<>();
        mixins.counterSets().forEach(mixin -> counters.put(mixin.name(), mixin.counters()));
        return counters;
    }

    private static JsonNode with(JsonNode object, String field, JsonNode content) {
        ObjectNode copy = object.deepCopy();
        ObjectNode spec = copy.putObject("spec");
        if (content.isArray()) {
            spec.set(field, content);
        }
        return copy;
    }

    private static List<String> includes(JsonNode object) {
        var includes = new ArrayList<String>();
        object.path("includes").forEach(name -> includes.add(name.asText()));
        return includes;
    }

    private static List<List<String>> all(JsonNode entries) {
        var includes = new ArrayList<List<String>>();
        entries.forEach(entry -> includes.add(includes(entry)));
        return includes;
    }

    /** The {@code spec} of a ResourceSlice. */
    public static ObjectNode spec(MixedSlice slice) {
        HardwareWithMixins hardware = slice.hardware();
        ObjectNode spec = json(SliceFields.SPEC, SliceFields.Spec.of(slice.own()));
        JsonNode counterSets = spec.path("sharedCounters");
        for (int i = 0; i < counterSets.size(); i++) {
            include(counterSets.get(i), hardware.counterSets().get(i).includes());
        }
        JsonNode devices = spec.path("devices");
        for (int i = 0; i < devices.size(); i++) {
            Mixins.DeviceWithMixins device = hardware.devices().get(i);
            include(devices.get(i), device.includes());
            JsonNode consumptions = devices.get(i).path("consumesCounters");
            for (int j = 0; j < consumptions.size(); j++) {
                include(consumptions.get(j), device.consumptionIncludes().get(j));
            }
        }
        ObjectNode mixins = mixins(hardware.mixins());
        if (!mixins.isEmpty()) {
            spec.set("mixins", mixins);
        }
        return spec;
    }

    private static ObjectNode mixins(Mixins mixins) {
        ObjectNode json = JSON.createObjectNode();
        mixins.device()
                .forEach((name, mixin) -> json.withArray("device")
                        .add(json(
                                SliceFields.DEVICE,
                                new Device(name, Map.of(), Map.of(), List.of(), List.of())
                                        .withAttributes(mixin.attributes())
                                        .withCapacity(mixin.capacity()))));
        add("deviceCounterConsumption", mixins.counterConsumption(), json);
        add("counterSet", mixins.counterSet(), json);
        return json;
    }

    private static void add(String kind, Map<String, Map<String, Quantity>> mixins, ObjectNode json) {
        mixins.forEach((name, counters) ->
                json.withArray(kind).add(json(SliceFields.COUNTER_SET, new CounterSet(name, counters))));
    }

    /** Adds the names of mixins to an object. If all counters are in mixins, the empty object for counters is removed. */
    private static void include(JsonNode object, List<String> includes) {
        if (object instanceof ObjectNode target && !includes.isEmpty()) {
            ArrayNode names = target.putArray("includes");
            includes.forEach(names::add);
            if (target.path("counters").isEmpty()) {
                target.remove("counters");
            }
        }
    }

    private static <T> ObjectNode json(JsonType<T> type, T value) {
        try (var buffer = new TokenBuffer(JSON, false)) {
            type.write(value, buffer);
            return JSON.readTree(buffer.asParser());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
