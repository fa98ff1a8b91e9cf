package dev.fakegpu.engine.problemfile.referee;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Maps features to their fields of slices and claims. The API server drops the fields of disabled features, so it does not matter how an
 * allocator handles these.
 */
final class FeatureFields {

    private static final Set<String> LISTS = Set.of("bools", "ints", "strings", "versions");

    /** By feature, a function that drops its fields from an object; it is called for each object in slices and claims. */
    private static final Map<String, Consumer<ObjectNode>> DROPS = Map.of(
            "AdminAccess", drop("adminAccess"),
            "CompatibilityGroups", drop("compatibilityGroups"),
            "ConsumableCapacity",
                    drop("allowMultipleAllocations", "requestPolicy")
                            .andThen(FeatureFields::dropRequestedCapacity)
                            .andThen(
                                    object -> removeFrom(object, "constraints", each -> each.has("distinctAttribute"))),
            "DerivedAttributes", drop("derivedAttributes"),
            "DeviceBindingAndStatus", drop("bindingConditions", "bindingFailureConditions", "bindsToNode"),
            "DeviceTaints", drop("taints", "tolerations"),
            "ListTypeAttributes", FeatureFields::dropLists,
            "OptionalNodeOperations", drop("skipNodeOperations"),
            "PartitionableDevices", drop("consumesCounters", "perDeviceNodeSelection"),
            "PrioritizedList", FeatureFields::takeFirstAlternative);

    private FeatureFields() {}

    /** The features whose fields the problem uses. */
    static Set<String> used(ObjectNode problem) {
        var used = new TreeSet<String>();
        DROPS.forEach((feature, drop) -> {
            if (!without(problem, List.of(feature)).equals(problem)) {
                used.add(feature);
            }
        });
        return used;
    }

    /** The features that have fields. */
    static Set<String> all() {
        return DROPS.keySet();
    }

    /** A copy of the problem without the fields of these features. */
    static ObjectNode without(ObjectNode problem, Collection<String> features) {
        ObjectNode copy = problem.deepCopy();
        for (String feature : features) {
            copy.path("slices").forEach(slice -> apply(DROPS.get(feature), slice));
            copy.path("claims").forEach(claim -> apply(DROPS.get(feature), claim));
            if (feature.equals("PartitionableDevices")) {
                dropCounterSets(copy);
            }
            if (feature.equals("ConsumableCapacity") && copy.path("state") instanceof ObjectNode state) {
                state.remove(List.of("shared", "capacity"));
            }
        }
        return copy;
    }

    private static void apply(Consumer<ObjectNode> drop, JsonNode node) {
        if (node instanceof ObjectNode object) {
            drop.accept(object);
        }
        node.forEach(child -> apply(drop, child));
    }

    private static Consumer<ObjectNode> drop(String... fields) {
        return object -> object.remove(List.of(fields));
    }

    /** Drops the requested capacity from requests; the capacity of devices does not depend on the feature. */
    private static void dropRequestedCapacity(ObjectNode object) {
        if (object.has("deviceClassName")) {
            object.remove("capacity");
        }
    }

    private static void dropLists(ObjectNode object) {
        if (object.path("attributes") instanceof ObjectNode attributes) {
            var names = attributes.properties().stream()
                    .filter(attribute -> LISTS.stream().anyMatch(attribute.getValue()::has))
                    .map(Map.Entry::getKey)
                    .toList();
            attributes.remove(names);
        }
    }

    private static void takeFirstAlternative(ObjectNode request) {
        if (request.path("firstAvailable") instanceof ArrayNode alternatives && !alternatives.isEmpty()) {
            ObjectNode first = alternatives.get(0).deepCopy();
            first.remove("name");
            request.remove("firstAvailable");
            request.set("exactly", first);
        }
        if (request.path("requests") instanceof ArrayNode names) {
            for (int i = 0; i < names.size(); i++) {
                String name = names.get(i).asText("");
                if (name.contains("/")) {
                    names.set(i, name.substring(0, name.indexOf('/')));
                }
            }
        }
    }

    /** Removes slices with counter sets, which have no devices, from their pools, as if the driver had not published them. */
    private static void dropCounterSets(ObjectNode problem) {
        removeFrom(problem, "slices", slice -> {
            if (!slice.path("spec").has("sharedCounters")) {
                return false;
            }
            problem.path("slices").forEach(each -> {
                ObjectNode pool = (ObjectNode) each.path("spec").path("pool");
                if (pool.equals(slice.path("spec").path("pool")) && each != slice) {
                    pool.put(
                            "resourceSliceCount",
                            pool.path("resourceSliceCount").asInt() - 1);
                }
            });
            return true;
        });
    }

    private static void removeFrom(ObjectNode object, String field, Predicate<JsonNode> remove) {
        if (object.path(field) instanceof ArrayNode array) {
            for (int i = array.size() - 1; i >= 0; i--) {
                if (remove.test(array.get(i))) {
                    array.remove(i);
                }
            }
        }
    }
}
