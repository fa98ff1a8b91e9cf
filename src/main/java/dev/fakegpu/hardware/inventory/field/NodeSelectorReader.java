package dev.fakegpu.hardware.inventory.field;

import dev.fakegpu.api.NodeSelectorSpec;
import dev.fakegpu.api.NodeSelectorSpec.Requirement;
import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.NodeSelector;
import java.util.List;

/** Validates and converts the node selectors of a FakeGpu, which select the nodes that can use devices. */
public final class NodeSelectorReader {

    private static final String NODE_NAME = "metadata.name";

    private NodeSelectorReader() {}

    /** The nodes that can use network-attached devices, unless a device has its own selection. */
    public static NodeSelection ofNetworkAttached(NodesSpec nodes) {
        return nodes.nodeSelector() == null
                ? new NodeSelection.AllNodes()
                : new NodeSelection.Matching(read(nodes.nodeSelector()));
    }

    /** Performs the API server's checks ({@code ValidateNodeSelector} in {@code core/validation}), and checks that no term is empty. */
    public static void check(String field, NodeSelectorSpec selector, Problems problems) {
        if (selector.nodeSelectorTerms().isEmpty()) {
            problems.add(field + ".nodeSelectorTerms", "", "is empty", "at least one term");
        }
        for (int i = 0; i < selector.nodeSelectorTerms().size(); i++) {
            String at = field + ".nodeSelectorTerms[" + i + "]";
            NodeSelectorSpec.Term term = selector.nodeSelectorTerms().get(i);
            if (term.matchExpressions().isEmpty() && term.matchFields().isEmpty()) {
                problems.add(at, "", "matches no node", "at least one of matchExpressions and matchFields");
            }
            for (int j = 0; j < term.matchExpressions().size(); j++) {
                checkLabel(
                        at + ".matchExpressions[" + j + "]",
                        term.matchExpressions().get(j),
                        problems);
            }
            for (int j = 0; j < term.matchFields().size(); j++) {
                checkField(at + ".matchFields[" + j + "]", term.matchFields().get(j), problems);
            }
        }
    }

    public static void checkLabel(String field, Requirement requirement, Problems problems) {
        if (requirement.operator() == null) {
            problems.ifMissing(field + ".operator", null, "one of " + List.of(Requirement.Operator.values()));
            return;
        }
        problems.unlessMatches(Syntax.LABEL_NAME, field + ".key", requirement.key());
        String values = switch (requirement.operator()) {
            case In, NotIn -> requirement.values().isEmpty() ? "at least one value" : "";
            case Exists, DoesNotExist -> requirement.values().isEmpty() ? "" : "no values";
            case Gt, Lt -> requirement.values().size() == 1 ? "" : "exactly one value";
        };
        if (!values.isEmpty()) {
            reportValues(field, requirement, values, problems);
            return;
        }
        boolean number =
                requirement.operator() == Requirement.Operator.Gt || requirement.operator() == Requirement.Operator.Lt;
        for (int i = 0; i < requirement.values().size(); i++) {
            problems.unlessMatches(
                    number ? Syntax.INTEGER : Syntax.LABEL_VALUE,
                    field + ".values[" + i + "]",
                    requirement.values().get(i));
        }
    }

    private static void checkField(String field, Requirement requirement, Problems problems) {
        boolean in = requirement.operator() == Requirement.Operator.In
                || requirement.operator() == Requirement.Operator.NotIn;
        if (!NODE_NAME.equals(requirement.key())) {
            problems.add(field + ".key", requirement.key(), "is not a field of nodes", NODE_NAME);
        } else if (!in) {
            problems.add(field + ".operator", requirement.operator(), "does not go with fields", "In or NotIn");
        } else if (requirement.values().size() != 1) {
            reportValues(field, requirement, "exactly one value", problems);
        } else {
            problems.unlessMatches(
                    Syntax.NODE_NAME, field + ".values[0]", requirement.values().get(0));
        }
    }

    private static void reportValues(String field, Requirement requirement, String allowed, Problems problems) {
        problems.add(
                field + ".values",
                requirement.values().size(),
                "is the number of values",
                allowed + " for operator " + requirement.operator());
    }

    public static NodeSelector read(NodeSelectorSpec selector) {
        return new NodeSelector(selector.nodeSelectorTerms().stream()
                .map(term -> new NodeSelector.Term(read(term.matchExpressions()), read(term.matchFields())))
                .toList());
    }

    public static List<NodeSelector.Requirement> read(List<Requirement> requirements) {
        return requirements.stream()
                .map(requirement -> new NodeSelector.Requirement(
                        requirement.key(), requirement.operator().name(), requirement.values()))
                .toList();
    }
}
