package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.NodeSelector;
import dev.fakegpu.dra.Slice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the slices that may concern a node. Slices for several nodes are ordered by a position that the caller chooses. Thread-safe while
 * it does not change.
 */
final class SlicesByNode {

    private final Map<String, List<Slice>> byName = new HashMap<>();
    private final Map<String, Map<String, NavigableMap<Integer, Slice>>> byLabel = new HashMap<>();
    private final NavigableMap<Integer, Slice> others = new TreeMap<>();
    private final NavigableMap<Integer, String> problems = new TreeMap<>();

    /** The node of a slice that only one node can access; otherwise null. */
    static @Nullable String onlyNode(Slice slice) {
        return withoutEmptyName(slice.nodes()) instanceof NodeSelection.NodeName only ? only.name() : null;
    }

    static NodeSelection withoutEmptyName(NodeSelection nodes) {
        return nodes instanceof NodeSelection.WithEmptyNodeName with ? with.selection() : nodes;
    }

    void add(int position, Slice slice) {
        String node = onlyNode(slice);
        if (node != null) {
            byName.computeIfAbsent(node, ignored -> new ArrayList<>()).add(slice);
            return;
        }
        problem(slice).ifPresent(problem -> problems.put(position, problem));
        Optional<NodeSelector.Requirement> label = requiredLabel(slice);
        if (label.isEmpty()) {
            others.put(position, slice);
            return;
        }
        var byValue = byLabel.computeIfAbsent(label.get().key(), ignored -> new HashMap<>());
        label.get()
                .values()
                .forEach(value -> byValue.computeIfAbsent(value, ignored -> new TreeMap<>())
                        .put(position, slice));
    }

    @SuppressWarnings("ReferenceEquality") // an equal slice is a different one here
    void remove(int position, Slice slice) {
        String node = onlyNode(slice);
        if (node != null) {
            byName.computeIfPresent(
                    node, (name, slices) -> slices.removeIf(each -> each == slice) && slices.isEmpty() ? null : slices);
            return;
        }
        problems.remove(position);
        others.remove(position);
        requiredLabel(slice)
                .ifPresent(label -> byLabel.computeIfPresent(label.key(), (key, byValue) -> {
                    label.values()
                            .forEach(value -> byValue.computeIfPresent(value, (same, slices) -> {
                                slices.remove(position);
                                return slices.isEmpty() ? null : slices;
                            }));
                    return byValue.isEmpty() ? null : byValue;
                }));
    }

    /** The slices for only this node, followed by those for several nodes, which may not select this one. */
    List<Slice> candidates(NodeInfo node) {
        var candidates = new ArrayList<>(byName.getOrDefault(node.name(), List.of()));
        candidates.addAll(sharedCandidates(node));
        return candidates;
    }

    private Collection<Slice> sharedCandidates(NodeInfo node) {
        if (byLabel.isEmpty()) {
            return others.values();
        }
        var candidates = new TreeMap<>(others);
        byLabel.forEach((key, byValue) -> {
            String value = node.labels().get(key);
            if (value != null && byValue.containsKey(value)) {
                candidates.putAll(byValue.get(value));
            }
        });
        return candidates.values();
    }

    /** The slices for several nodes. */
    Stream<Slice> shared() {
        var shared = new TreeMap<>(others);
        byLabel.values().forEach(byValue -> byValue.values().forEach(shared::putAll));
        return shared.values().stream();
    }

    /** The problem of the first slice with an invalid node selector. */
    Optional<String> problem() {
        return Optional.ofNullable(problems.firstEntry()).map(Map.Entry::getValue);
    }

    /** A label that a node must have, with one of these values, to match. */
    private static Optional<NodeSelector.Requirement> requiredLabel(Slice slice) {
        return withoutEmptyName(slice.nodes()) instanceof NodeSelection.Matching matching
                        && matching.selector().terms().size() == 1
                ? matching.selector().terms().get(0).expressions().stream()
                        .filter(requirement -> requirement.operator().equals("In"))
                        .findFirst()
                : Optional.empty();
    }

    private static Optional<String> problem(Slice slice) {
        return withoutEmptyName(slice.nodes()) instanceof NodeSelection.Matching matching
                ? matching.selector()
                        .problem()
                        .map(problem -> "gather pool information: failed to perform node selection for slice "
                                + slice.name() + ": " + problem)
                : Optional.empty();
    }
}
