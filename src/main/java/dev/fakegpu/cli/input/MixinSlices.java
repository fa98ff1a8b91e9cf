package dev.fakegpu.cli.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.mixin.MixedSlice;
import dev.fakegpu.dra.wire.MixedSlices;
import dev.fakegpu.hardware.slices.MixinReport;
import java.util.List;

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
        MixedSlice slice =
                MixedSlices.read(manifest.json(), json -> ResourceSlices.read(new Manifest(manifest.source(), json)));
        var report = MixinReport.ofSlice(slice.hardware());
        return new Flat(slice.own().withCounterSets(report.counterSets()).withDevices(report.devices()), report);
    }

    static boolean areIn(Manifest manifest) {
        return MixedSlices.areIn(manifest.json());
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
}
