package dev.fakegpu.cli.input;

import dev.fakegpu.cluster.check.FieldLines;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Finds the lines of an object's fields in a YAML or JSON file. */
final class YamlLines implements FieldLines {

    private final Node object;

    YamlLines(Node object) {
        this.object = object;
    }

    @Override
    public int line(String path) {
        Node place = object;
        Node value = object;
        String rest = path;
        while (!rest.isEmpty()) {
            Step step = step(value, rest);
            if (step == null) {
                break;
            }
            place = step.place();
            value = step.value();
            rest = step.rest();
        }
        Optional<Mark> mark = place.getStartMark();
        return mark.map(found -> found.getLine() + 1).orElse(0);
    }

    /**
     * A step from a container to one of its elements.
     *
     * @param place the key of a field, or an item of a list
     * @param rest the rest of the path
     */
    private record Step(Node place, Node value, String rest) {}

    private static @Nullable Step step(Node container, String path) {
        if (path.startsWith("[")) {
            int end = path.indexOf(']');
            return end < 0 ? null : bracket(container, path.substring(1, end), path.substring(end + 1));
        }
        return container instanceof MappingNode mapping
                ? field(mapping, path.startsWith(".") ? path.substring(1) : path)
                : null;
    }

    /** The item of a list, or the value of a map whose key is in brackets. */
    private static @Nullable Step bracket(Node container, String content, String rest) {
        if (container instanceof SequenceNode list) {
            int index = content.matches("\\d{1,9}") ? Integer.parseInt(content) : Integer.MAX_VALUE;
            if (index >= list.getValue().size()) {
                return null;
            }
            Node item = list.getValue().get(index);
            return new Step(item, item, rest);
        }
        return container instanceof MappingNode mapping
                ? mapping.getValue().stream()
                        .filter(entry -> key(entry).equals(content))
                        .findFirst()
                        .map(entry -> new Step(entry.getKeyNode(), entry.getValueNode(), rest))
                        .orElse(null)
                : null;
    }

    /** Uses the longest key that the path begins with, since keys may contain dots. */
    private static @Nullable Step field(MappingNode mapping, String path) {
        NodeTuple longest = null;
        for (NodeTuple entry : mapping.getValue()) {
            String key = key(entry);
            boolean isNext = path.startsWith(key)
                    && (path.length() == key.length() || ".[".indexOf(path.charAt(key.length())) >= 0);
            if (isNext && (longest == null || key.length() > key(longest).length())) {
                longest = entry;
            }
        }
        return longest == null
                ? null
                : new Step(
                        longest.getKeyNode(),
                        longest.getValueNode(),
                        path.substring(key(longest).length()));
    }

    private static String key(NodeTuple entry) {
        return entry.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "";
    }

    /** The items of the field {@code items} of the object. */
    static FieldLines item(FieldLines list, int index) {
        return path -> list.line("items[" + index + "]" + (path.isEmpty() || path.startsWith("[") ? "" : ".") + path);
    }
}
