package dev.fakegpu.cli.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.hardware.inventory.HardwareWithMixins;
import dev.fakegpu.hardware.inventory.Mixins;
import dev.fakegpu.hardware.slices.MixinReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads ResourceSlices as KEP-5234 proposes them, with {@code spec.mixins} and {@code includes}, which no released API serves. */
public final class MixinSlices {
    private MixinSlices() {}

    /** A slice with its mixins resolved, and what the mixins save. */
    public record Flat(Slice slice, MixinReport report) {}

    /** @throws InvalidInputException with a message for each unknown include and each limit of the KEP that is exceeded */
    public static Flat flat(Manifest manifest) {
        Flat flat = withProblems(manifest);
        if (!flat.report().problems().isEmpty()) {
            throw new InvalidInputException(flat.report().problems().stream()
                    .map(problem -> manifest.title() + ": " + problem)
                    .toList());
        }
        return flat;
    }

    /** The same with what can be resolved if the report has problems. */
    static Flat withProblems(Manifest manifest) {
        Slice slice = ResourceSlices.read(manifest);
        var report = MixinReport.ofSlice(read(manifest, slice));
        return new Flat(slice.withCounterSets(report.counterSets()).withDevices(report.devices()), report);
    }

    private static HardwareWithMixins read(Manifest manifest, Slice slice) {
        JsonNode spec = manifest.json().path("spec");
        var counterSets = new ArrayList<Mixins.CounterSetWithMixins>();
        for (int i = 0; i < slice.counterSets().size(); i++) {
            counterSets.add(new Mixins.CounterSetWithMixins(
                    slice.counterSets().get(i),
                    includes(spec.path("sharedCounters").path(i))));
        }
        var devices = new ArrayList<Mixins.DeviceWithMixins>();
        for (int i = 0; i < slice.devices().size(); i++) {
            JsonNode device = spec.path("devices").path(i);
            devices.add(new Mixins.DeviceWithMixins(
                    slice.devices().get(i), includes(device), all(device.path("consumesCounters"))));
        }
        return new HardwareWithMixins(mixins(manifest), counterSets, devices);
    }

    static boolean areIn(Manifest manifest) {
        JsonNode spec = manifest.json().path("spec");
        return spec.has("mixins") || spec.findValue("includes") != null;
    }

    /** A slice as it is written, with what includes mixins as it is read. */
    static JsonNode resolved(JsonNode written, Slice slice) {
        JsonNode copy = written.deepCopy();
        JsonNode read = ResourceSlices.json(slice);
        for (String field : List.of("devices", "sharedCounters")) {
            JsonNode list = copy.path("spec").path(field);
            for (int i = 0; i < list.size(); i++) {
                if (list.get(i).findValue("includes") != null) {
                    ((ArrayNode) list).set(i, read.path("spec").path(field).path(i));
                }
            }
        }
        return copy;
    }

    /** The object without the fields that KEP-5234 adds. */
    public static Manifest plain(Manifest manifest) {
        ObjectNode object = manifest.json().deepCopy();
        if (object.path("spec") instanceof ObjectNode spec) {
            spec.remove("mixins");
            spec.path("sharedCounters").forEach(MixinSlices::removeIncludes);
            spec.path("devices").forEach(device -> {
                removeIncludes(device);
                device.path("consumesCounters").forEach(MixinSlices::removeIncludes);
            });
        }
        return new Manifest(manifest.source(), object);
    }

    private static void removeIncludes(JsonNode object) {
        if (object instanceof ObjectNode node) {
            node.remove("includes");
        }
    }

    private static Mixins mixins(Manifest manifest) {
        JsonNode mixins = manifest.json().path("spec").path("mixins");
        Map<String, Mixins.DeviceMixin> devices = new LinkedHashMap<>();
        // A mixin has the same fields as the object that includes it, so the same reader is used.
        slice(manifest, "devices", mixins.path("device"))
                .devices()
                .forEach(device ->
                        devices.put(device.name(), new Mixins.DeviceMixin(device.attributes(), device.capacity())));
        return new Mixins(
                devices,
                counters(manifest, mixins.path("deviceCounterConsumption")),
                counters(manifest, mixins.path("counterSet")));
    }

    private static Map<String, Map<String, Quantity>> counters(Manifest manifest, JsonNode mixins) {
        Map<String, Map<String, Quantity>> counters = new LinkedHashMap<>();
        slice(manifest, "sharedCounters", mixins)
                .counterSets()
                .forEach((CounterSet mixin) -> counters.put(mixin.name(), mixin.counters()));
        return counters;
    }

    private static Slice slice(Manifest manifest, String field, JsonNode content) {
        ObjectNode object = manifest.json().deepCopy();
        ObjectNode spec = object.putObject("spec");
        if (content.isArray()) {
            spec.set(field, content);
        }
        return ResourceSlices.read(new Manifest(manifest.source(), object));
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
}
