package dev.fakegpu.engine.allocate.lookahead;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Caches frontiers by what they depend on. It is bounded, since a long search passes through more states than are worth keeping. */
final class FrontierCache<K> {

    private static final int MAX_SIZE = 2000;

    private final Map<K, ParetoFrontier> known = new HashMap<>();

    ParetoFrontier get(K key, Supplier<ParetoFrontier> computation) {
        ParetoFrontier frontier = known.get(key);
        if (frontier == null) {
            frontier = computation.get();
            if (known.size() >= MAX_SIZE) {
                known.clear();
            }
            known.put(key, frontier);
        }
        return frontier;
    }
}
