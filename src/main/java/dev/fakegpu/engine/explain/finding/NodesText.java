package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.NodeSelector;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Describes the nodes that can access a device. */
final class NodesText {

    private NodesText() {}

    static String of(NodeSelection nodes) {
        if (nodes instanceof NodeSelection.NodeName only) {
            return only.name();
        }
        if (nodes instanceof NodeSelection.Matching matching) {
            List<String> terms =
                    matching.selector().terms().stream().map(NodesText::of).toList();
            return terms.isEmpty() ? "no node" : "nodes " + String.join(" or ", terms);
        }
        if (nodes instanceof NodeSelection.WithEmptyNodeName with) {
            return of(with.selection());
        }
        return nodes instanceof NodeSelection.AllNodes ? "all nodes" : "no node";
    }

    private static String of(NodeSelector.Term term) {
        return Stream.concat(
                        term.expressions().stream().map(label -> "with " + of(label)),
                        term.fields().stream().map(field -> "with " + of(field)))
                .collect(Collectors.joining(" and "));
    }

    private static String of(NodeSelector.Requirement requirement) {
        String values = String.join(", ", requirement.values());
        return switch (requirement.operator()) {
            case "In" -> requirement.key() + " in (" + values + ")";
            case "NotIn" -> requirement.key() + " not in (" + values + ")";
            case "Exists" -> requirement.key();
            case "DoesNotExist" -> "no " + requirement.key();
            case "Gt" -> requirement.key() + " > " + values;
            case "Lt" -> requirement.key() + " < " + values;
            default -> requirement.key() + " " + requirement.operator() + " (" + values + ")";
        };
    }
}
