package dev.fakegpu.cli.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.api.ConstructNode;
import org.snakeyaml.engine.v2.exceptions.ConstructorException;
import org.snakeyaml.engine.v2.nodes.CollectionNode;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.Schema;

/** Converts a YAML document to JSON as kubectl does: {@link YamlScalars}, merge keys, and keys that are not strings. */
final class YamlDocument {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Tag PLAIN = new Tag("!plain");
    private static final int MAX_NOTES = 5;

    /** Leaves the type of unquoted values open. */
    static final Schema SCHEMA = new Schema() {
        @Override
        public ScalarResolver getScalarResolver() {
            return (value, isPlain) -> isPlain ? PLAIN : Tag.STR;
        }

        @Override
        public Map<Tag, ConstructNode> getSchemaTagConstructors() {
            return Map.of();
        }
    };

    private final List<String> notes = new ArrayList<>();
    private final YamlAliases aliases = new YamlAliases();
    private final JsonNode json;

    /** The number of nodes that are entered; the parser limits only the depth without aliases. */
    private int depth;

    /** @throws ConstructorException with the position of what cannot be read */
    YamlDocument(Node document) {
        json = read(document);
    }

    JsonNode json() {
        return json;
    }

    /** Sentences about values that mean something else in YAML 1.2 and about repeated keys, each with the line. */
    List<String> notes() {
        return notes.size() <= MAX_NOTES ? List.copyOf(notes) : List.copyOf(notes.subList(0, MAX_NOTES));
    }

    private JsonNode read(Node node) {
        enter(node);
        JsonNode value = value(node);
        leave(node);
        return value;
    }

    private void enter(Node node) {
        if (node.isRecursive()) {
            throw refusal("an alias contains itself", node);
        }
        if (!aliases.enter(node)) {
            throw refusal("document contains excessive aliasing", node);
        }
        depth++;
        if (depth > YamlNodes.MAX_DEPTH && node instanceof CollectionNode) {
            throw refusal(YamlNodes.TOO_DEEP, node);
        }
    }

    private void leave(Node node) {
        depth--;
        aliases.leave(node);
    }

    private JsonNode value(Node node) {
        if (node instanceof MappingNode mapping) {
            return object(mapping);
        }
        if (node instanceof SequenceNode sequence) {
            ArrayNode list = JSON.arrayNode();
            sequence.getValue().forEach(item -> list.add(read(item)));
            return list;
        }
        return scalar((ScalarNode) node);
    }

    private JsonNode scalar(ScalarNode node) {
        String text = node.getValue();
        Tag tag = node.getTag();
        if (tag.equals(PLAIN)) {
            JsonNode value = plain(node);
            if (YamlScalars.isAmbiguous(text, value)) {
                note(node, "kubectl reads %s as %s; write \"%s\" if it is a text".formatted(text, value, text));
            }
            return value;
        }
        if (tag.equals(Tag.STR)) {
            return JSON.textNode(text);
        }
        if (tag.equals(Tag.BINARY)) {
            return JSON.textNode(new String(Base64.getMimeDecoder().decode(text), StandardCharsets.UTF_8));
        }
        if (Set.of(Tag.BOOL, Tag.INT, Tag.FLOAT, Tag.NULL).contains(tag)) {
            return plain(node);
        }
        throw refusal("the tag " + tag + " is not known", node);
    }

    private void note(Node node, String sentence) {
        node.getStartMark().ifPresent(mark -> notes.add("line %s: %s".formatted(mark.getLine() + 1, sentence)));
    }

    private static JsonNode plain(ScalarNode node) {
        JsonNode value = YamlScalars.read(node.getValue());
        if (value.isDouble() && !Double.isFinite(value.doubleValue())) {
            throw refusal("JSON has no number " + node.getValue(), node);
        }
        return value;
    }

    private ObjectNode object(MappingNode mapping) {
        ObjectNode object = JSON.objectNode();
        var keys = new HashSet<String>();
        for (NodeTuple entry : mapping.getValue()) {
            if (isMerge(entry.getKeyNode())) {
                merge(entry.getValueNode(), object);
                continue;
            }
            JsonNode key = entry.getKeyNode() instanceof ScalarNode scalar ? read(scalar) : JSON.nullNode();
            if (key.isNull()) {
                throw refusal("a key is not text", entry.getKeyNode());
            }
            if (!keys.add(key.asText())) {
                note(
                        entry.getKeyNode(),
                        "the key %s is there twice; kubectl takes the last one".formatted(key.asText()));
            }
            object.set(key.asText(), read(entry.getValueNode()));
        }
        return object;
    }

    private static boolean isMerge(Node key) {
        return key instanceof ScalarNode scalar
                && scalar.getTag().equals(PLAIN)
                && scalar.getValue().equals("<<");
    }

    private void merge(Node value, ObjectNode into) {
        if (value instanceof SequenceNode sequence) {
            enter(sequence);
            for (int i = sequence.getValue().size() - 1; i >= 0; i--) { // the first one wins
                into.setAll(merged(sequence.getValue().get(i)));
            }
            leave(sequence);
        } else {
            into.setAll(merged(value));
        }
    }

    private ObjectNode merged(Node value) {
        if (value instanceof MappingNode) {
            return (ObjectNode) read(value);
        }
        throw refusal("map merge requires map or sequence of maps as the value", value);
    }

    private static ConstructorException refusal(String problem, Node node) {
        return new ConstructorException("", node.getStartMark(), problem, node.getStartMark());
    }
}
