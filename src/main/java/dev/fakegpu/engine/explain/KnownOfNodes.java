package dev.fakegpu.engine.explain;

import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.cel.EvaluationInterrupted;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Caches results of work on nodes, with the input and the cost of each. Using a cached result spends the same budget as computing it would,
 * so that no outcome depends on the cache. Not thread-safe.
 */
final class KnownOfNodes<K, V> {

    private final Map<K, Known<V>> byKey = new HashMap<>();
    private final Predicate<V> dependsOnOthers;

    /** @param dependsOnOthers whether devices of other allocators affect the result */
    KnownOfNodes(Predicate<V> dependsOnOthers) {
        this.dependsOnOthers = dependsOnOthers;
    }

    private record Known<V>(NodeInputs inputs, V result, long cost) {}

    /** The cached result. Empty if there is none, its input may have changed, or the remaining budget would lead to another result. */
    Optional<V> get(K key, HypotheticalState state, NodeInfo node, ExplanationBudget budget) {
        Known<V> known = byKey.get(key);
        if (known == null || known.cost() > budget.left() || !isTrue(known, state, node)) {
            return Optional.empty();
        }
        budget.spend(known.cost());
        return Optional.of(known.result());
    }

    private boolean isTrue(Known<V> known, HypotheticalState state, NodeInfo node) {
        return known.inputs().isOf(state, node)
                && (!dependsOnOthers.test(known.result()) || known.inputs().hasOthersOf(state, node));
    }

    /**
     * Computes the result, and caches it unless the budget or the deadline cut the work short.
     *
     * @param kept the form of the result that is cached
     * @throws EvaluationInterrupted if the deadline passes before the work begins
     */
    V workOut(
            K key,
            HypotheticalState state,
            NodeInfo node,
            ExplanationBudget budget,
            Supplier<V> work,
            UnaryOperator<V> kept) {
        state.deadline().interruptCheck().check();
        byKey.remove(key);
        var inputs = NodeInputs.of(state, node);
        long before = budget.left();
        V result = work.get();
        if (!budget.isSpent() && state.deadline().interrupted() == null) {
            byKey.put(key, new Known<>(inputs, kept.apply(result), before - budget.left()));
        }
        return result;
    }

    Stream<V> results() {
        return byKey.values().stream().map(Known::result);
    }

    int size() {
        return byKey.size();
    }

    void keepOnly(Set<K> keys) {
        byKey.keySet().retainAll(keys);
    }

    /** @param change returns empty to remove the result */
    void change(Function<V, Optional<V>> change) {
        for (Map.Entry<K, Known<V>> entry : List.copyOf(byKey.entrySet())) {
            Known<V> known = entry.getValue();
            change.apply(known.result())
                    .ifPresentOrElse(
                            result -> byKey.put(entry.getKey(), new Known<>(known.inputs(), result, known.cost())),
                            () -> byKey.remove(entry.getKey()));
        }
    }

    void clear() {
        byKey.clear();
    }
}
