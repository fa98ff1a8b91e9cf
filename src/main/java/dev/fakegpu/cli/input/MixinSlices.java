package dev.fakegpu.cli.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.mixin.MixedSlice;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.dra.wire.MixedSlices;
import dev.fakegpu.hardware.slices.MixinReport;
import dev.fakegpu.hardware.slices.MixinText;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/** Reads ResourceSlices as KEP-5234 proposes them, with {@code spec.mixins} and {@code includes}, which no released API serves. */
public final class MixinSlices {
    private MixinSlices() {}

    /** A slice with its mixins resolved, and what the mixins save. */
    public record Flat(Slice slice, MixinReport report) {}

    /** @throws InvalidInputException with a message for each unknown include and each exceeded limit of the KEP */
    public static Flat flat(Manifest manifest) {
        Flat flat = withProblems(manifest);
        if (!flat.report().problems().isEmpty()) {
            throw new InvalidInputException(flat.report().problems().stream()
                    .map(problem -> manifest.title() + ": " + problem)
                    .toList());
        }
        return flat;
    }

    /** Does the same without the exception, and resolves what it can if the report has problems. */
    static Flat withProblems(Manifest manifest) {
        MixedSlice slice = read(manifest);
        var report = MixinReport.ofSlice(slice.hardware());
        return new Flat(slice.own().withCounterSets(report.counterSets()).withDevices(report.devices()), report);
    }

    static MixedSlice read(Manifest manifest) {
        return MixedSlices.read(manifest.json(), json -> ResourceSlices.read(new Manifest(manifest.source(), json)));
    }

    /**
     * Returns manifests as schedulers see them, with devices that they leave out removed from slices.
     *
     * @param notes receives what happens to slices with mixins
     * @throws InvalidInputException if one of them violates the rules of the KEP, or an API server would refuse the result
     */
    static List<Manifest> visible(List<Manifest> manifests, MixinsGate gate, Consumer<String> notes) {
        if (manifests.stream().noneMatch(manifest -> ResourceSlices.isOne(manifest) && areIn(manifest))) {
            return manifests;
        }
        var slices = new ArrayList<MixedSlice>();
        InvalidInputException.collect(
                manifests.stream().filter(ResourceSlices::isOne).toList(), manifest -> {
                    if (areIn(manifest)) {
                        StoredObjects.check(new Manifest(
                                manifest.source(),
                                resolved(manifest.json(), flat(manifest).slice())));
                    }
                    slices.add(read(manifest));
                });
        Iterator<MixinsGate.Visible> visible = gate.visible(slices).iterator();
        return manifests.stream()
                .map(manifest ->
                        ResourceSlices.isOne(manifest) ? seen(manifest, visible.next(), gate, notes) : manifest)
                .toList();
    }

    private static Manifest seen(
            Manifest manifest, MixinsGate.Visible visible, MixinsGate gate, Consumer<String> notes) {
        if (!areIn(manifest) && visible.isComplete()) {
            return manifest;
        }
        notes.accept(manifest.title() + ": " + note(visible, gate));
        JsonNode json =
                gate == MixinsGate.UNAWARE ? stored(plain(manifest)) : resolved(manifest.json(), visible.slice());
        return manifest.with(json);
    }

    /** Without mixins, the rest may be invalid for the API server, such as a counter set without counters. */
    private static JsonNode stored(Manifest plain) {
        ObjectNode object = plain.json().deepCopy();
        ObjectNode metadata = object.withObjectProperty("metadata");
        if (!metadata.hasNonNull("uid")) {
            metadata.put("uid", "mixins/" + plain.name());
        }
        return object;
    }

    private static String note(MixinsGate.Visible visible, MixinsGate gate) {
        return switch (gate) {
            case ON -> "its mixins are resolved; no released Kubernetes has them";
            case UNAWARE -> "its mixins are ignored: devices and counter sets lack what they include";
            case OFF ->
                visible.isComplete()
                        ? "its mixins are ignored; nothing includes them"
                        : MixinText.leftOut(visible, "--mixins on");
        };
    }

    static boolean areIn(Manifest manifest) {
        return MixedSlices.areIn(manifest.json());
    }

    /** Returns the slice as written, but with the resolved form of what includes mixins, and without what is then missing. */
    static JsonNode resolved(JsonNode written, Slice slice) {
        ObjectNode copy = written.deepCopy();
        JsonNode read = ResourceSlices.json(slice);
        if (copy.path("spec") instanceof ObjectNode spec) {
            spec.remove("mixins");
            for (String field : List.of("devices", "sharedCounters")) {
                if (spec.path(field) instanceof ArrayNode list) {
                    spec.set(field, resolved(list, read.path("spec").path(field)));
                }
            }
        }
        return copy;
    }

    private static ArrayNode resolved(ArrayNode written, JsonNode read) {
        ArrayNode list = written.arrayNode();
        int next = 0;
        for (JsonNode element : written) {
            JsonNode seen = read.path(next);
            if (seen.path("name").asText("").equals(element.path("name").asText(""))) {
                list.add(element.findValue("includes") == null ? element : seen);
                next++;
            }
        }
        return list;
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
