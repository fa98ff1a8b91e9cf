package dev.fakegpu.e2e.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.simulate.memory.ObjectName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A step of a random scenario as users ask about it.
 *
 * @param objects the objects in the files
 * @param deleted the pods to delete
 */
record AskedChange(List<JsonNode> objects, List<ObjectName> deleted) {

    /** The step with other objects of the same effect where files cannot delete something; empty if it changes nothing. */
    static Optional<AskedChange> of(List<PlayedAction> step, RealScenario real) {
        var objects = new ArrayList<JsonNode>();
        var deleted = new ArrayList<ObjectName>();
        for (PlayedAction action : step) {
            if (action instanceof PlayedAction.Create create) {
                objects.add(create.object());
            } else if (action instanceof PlayedAction.Change change) {
                real.edited(change.name(), change.patch()).ifPresent(objects::add);
            } else if (action instanceof PlayedAction.Delete delete) {
                Optional<JsonNode> left = real.edited(delete.name(), withoutEffect(delete.name()));
                boolean isPod = delete.name().kind().equals("Pod");
                left.ifPresent(object -> {
                    if (isPod) {
                        deleted.add(delete.name());
                    } else {
                        objects.add(object);
                    }
                });
            }
        }
        if (objects.isEmpty() && deleted.isEmpty()) {
            return Optional.empty();
        }
        real.incompleteSets().stream()
                .filter(set -> objects.stream().noneMatch(object -> isSame(object, set)))
                .forEach(objects::add);
        objects.addAll(0, priorityClasses(objects, real));
        return Optional.of(new AskedChange(objects, deleted));
    }

    private static boolean isSame(JsonNode object, JsonNode other) {
        return object.path("kind").equals(other.path("kind"))
                && object.at("/metadata/name").equals(other.at("/metadata/name"));
    }

    /** A change after which an object has the same effect as none. */
    private static JsonNode withoutEffect(ObjectName name) {
        return RandomWorld.json(
                switch (name.kind()) {
                    case "DeviceTaintRule" -> "{spec: {taint: {effect: None}}}";
                    case "Job" -> "{spec: {parallelism: 0}}";
                    case "Pod" -> "{}";
                    default -> "{spec: {replicas: 0}}";
                });
    }

    /** The classes that pods name, since commands do not read them from the cluster. */
    private static List<JsonNode> priorityClasses(List<JsonNode> objects, RealScenario real) {
        return objects.stream()
                .flatMap(object -> object.findValuesAsText("priorityClassName").stream())
                .distinct()
                .flatMap(
                        name -> real.edited(new ObjectName("PriorityClass", "", name), RandomWorld.json("{}")).stream())
                .toList();
    }

    /** Whether the change deletes the pod, or may do so because it scales its workload. */
    boolean removes(String pod) {
        return deleted.stream().anyMatch(name -> name.name().equals(pod))
                || objects.stream()
                        .filter(object -> object.at("/spec").has("template"))
                        .anyMatch(object ->
                                pod.startsWith(object.at("/metadata/name").asText() + "-"));
    }

    /** The same step for a simulation that begins with the stored objects. */
    List<PlayedAction> actions() {
        return Stream.<PlayedAction>concat(
                        objects.stream().map(PlayedAction.Create::new),
                        deleted.stream().map(PlayedAction.Delete::new))
                .toList();
    }
}
