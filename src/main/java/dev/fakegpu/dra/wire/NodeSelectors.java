package dev.fakegpu.dra.wire;

import static dev.fakegpu.dra.wire.SliceReader.mapAll;
import static java.util.Objects.requireNonNullElse;

import dev.fakegpu.dra.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorBuilder;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.NodeSelectorTermBuilder;
import java.util.List;

/** Reads and writes node selectors. */
public final class NodeSelectors {
    private NodeSelectors() {}

    public static NodeSelector read(io.fabric8.kubernetes.api.model.NodeSelector selector) {
        return new NodeSelector(mapAll(selector.getNodeSelectorTerms(), NodeSelectors::term));
    }

    public static io.fabric8.kubernetes.api.model.NodeSelector write(NodeSelector selector) {
        return new NodeSelectorBuilder()
                .withNodeSelectorTerms(
                        selector.terms().stream().map(NodeSelectors::term).toList())
                .build();
    }

    private static NodeSelector.Term term(NodeSelectorTerm term) {
        return new NodeSelector.Term(
                mapAll(term.getMatchExpressions(), NodeSelectors::requirement),
                mapAll(term.getMatchFields(), NodeSelectors::requirement));
    }

    private static NodeSelector.Requirement requirement(NodeSelectorRequirement requirement) {
        return new NodeSelector.Requirement(
                requirement.getKey(),
                requirement.getOperator(),
                requireNonNullElse(requirement.getValues(), List.of()));
    }

    private static NodeSelectorTerm term(NodeSelector.Term term) {
        return new NodeSelectorTermBuilder()
                .withMatchExpressions(requirements(term.expressions()))
                .withMatchFields(requirements(term.fields()))
                .build();
    }

    private static List<NodeSelectorRequirement> requirements(List<NodeSelector.Requirement> requirements) {
        return requirements.stream()
                .map(requirement ->
                        new NodeSelectorRequirement(requirement.key(), requirement.operator(), requirement.values()))
                .toList();
    }
}
