package dev.fakegpu.cli;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.cli.input.Manifest;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The objects in a file of {@code src/test/resources/check}, and edits of them. */
final class EditedManifests {

    private static final YAMLMapper YAML = new YAMLMapper();

    /** Files are parsed once, since many tests start from the same one. */
    private static final Map<String, ArrayNode> READ = new ConcurrentHashMap<>();

    private final String file;
    private final ArrayNode objects;

    private EditedManifests(String file, ArrayNode objects) {
        this.file = file;
        this.objects = objects;
    }

    static EditedManifests of(String file) {
        return new EditedManifests(
                file, READ.computeIfAbsent(file, EditedManifests::read).deepCopy());
    }

    private static ArrayNode read(String file) {
        try (var values = YAML.readerFor(JsonNode.class)
                .<JsonNode>readValues(ProjectFiles.resolve(path(file)).toFile())) {
            ArrayNode objects = YAML.createArrayNode();
            values.readAll().forEach(objects::add);
            return objects;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String path(String file) {
        return "src/test/resources/check/" + file;
    }

    /** The elements of a file that contains one list. */
    static List<JsonNode> cases(String file) {
        var cases = new ArrayList<JsonNode>();
        of(file).objects.forEach(cases::add);
        return cases;
    }

    List<Manifest> manifests() {
        var manifests = new ArrayList<Manifest>();
        objects.forEach(object -> manifests.add(new Manifest(file, object)));
        return manifests;
    }

    EditedManifests edit(JsonNode edit) {
        edit.path("repeat").properties().forEach(entry -> repeat(objects.at(entry.getKey()), entry.getValue()));
        edit.path("set").properties().forEach(entry -> set(JsonPointer.compile(entry.getKey()), entry.getValue()));
        if (edit.has("grouped")) {
            grouped(edit.path("grouped"));
        }
        if (edit.has("typed")) {
            typed(edit.path("typed").asInt());
        }
        return this;
    }

    private void set(JsonPointer pointer, JsonNode value) {
        JsonNode parent = objects.at(pointer.head());
        String last = pointer.last().getMatchingProperty();
        if (parent instanceof ArrayNode array) {
            int index = Integer.parseInt(last);
            if (index < array.size()) {
                array.set(index, value);
            } else {
                array.add(value);
            }
        } else if (value.isNull()) {
            ((ObjectNode) parent).remove(last);
        } else {
            ((ObjectNode) parent).set(last, value);
        }
    }

    private static void repeat(JsonNode container, JsonNode count) {
        JsonNode first = container.elements().next();
        for (int i = container.size(); i < count.asInt(); i++) {
            if (container instanceof ObjectNode object) {
                object.set("extra" + i, first.deepCopy());
            } else {
                ((ArrayNode) container).add(renamed(first.deepCopy(), i));
            }
        }
    }

    private static JsonNode renamed(JsonNode copy, int number) {
        for (String field : List.of("name", "key")) {
            if (copy instanceof ObjectNode object && object.has(field)) {
                object.put(field, "extra-" + number);
            }
        }
        return copy;
    }

    /** Adds devices with the given groups on a counter set that has room for all of them. */
    private void grouped(JsonNode groups) {
        ArrayNode devices = objects.addObject()
                .put("apiVersion", "resource.k8s.io/v1")
                .put("kind", "ResourceSlice")
                .set("spec", slice("devices"))
                .at("/spec")
                .withArray("devices");
        groups.forEach(these -> {
            for (int i = 0; i < 2; i++) {
                ObjectNode entry = devices.addObject()
                        .put("name", "device-" + devices.size())
                        .withArray("consumesCounters")
                        .addObject()
                        .put("counterSet", "set");
                entry.withObject("counters").withObject("units").put("value", "1");
                entry.set("compatibilityGroups", these);
            }
        });
        ObjectNode counters = slice("counters");
        counters.withArray("sharedCounters")
                .addObject()
                .put("name", "set")
                .withObject("counters")
                .withObject("units")
                .put("value", "6");
        objects.addObject()
                .put("apiVersion", "resource.k8s.io/v1")
                .put("kind", "ResourceSlice")
                .set("spec", counters);
    }

    private static ObjectNode slice(String name) {
        ObjectNode spec =
                YAML.createObjectNode().put("driver", "grouped.example.com").put("allNodes", true);
        spec.withObject("pool").put("name", "p").put("generation", 1).put("resourceSliceCount", 2);
        return spec;
    }

    /** Adds devices with this number of partition types. */
    private void typed(int types) {
        ArrayNode groups = YAML.createArrayNode();
        for (int i = 0; i < types; i += 2) {
            groups.addArray().add("shared");
        }
        grouped(groups);
        ObjectNode spec = (ObjectNode) objects.get(objects.size() - 2).path("spec");
        spec.put("partitionTypeAttribute", "grouped.example.com/type");
        for (int i = 0; i < spec.path("devices").size(); i++) {
            ObjectNode device = (ObjectNode) spec.path("devices").get(i);
            device.withObject("attributes").withObject("type").put("string", "type-" + i);
        }
        ObjectNode units =
                (ObjectNode) objects.at("/" + (objects.size() - 1) + "/spec/sharedCounters/0/counters/units");
        units.put("value", Integer.toString(spec.path("devices").size()));
    }
}
