package dev.fakegpu.engine.cel;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Caches the results of one expression by the parts of a device that it reads. Thread-safe. */
final class Memo<R> {

    /**
     * The maximum number of results. A cluster has few device models, and an expression that distinguishes more devices does not benefit
     * from a cache.
     */
    private static final int MAX_RESULTS = 256;

    private final Map<References.Key, R> results = new ConcurrentHashMap<>();

    R get(References.Key key, Supplier<R> evaluation) {
        R known = results.get(key);
        if (known != null) {
            return known;
        }
        R result = evaluation.get();
        if (results.size() >= MAX_RESULTS) {
            results.clear();
        }
        results.put(key, result);
        return result;
    }
}
