package dev.fakegpu.cel;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The results of one expression, by what it saw. Safe for use by several threads. */
final class Memo<R> {

    /** A cluster has few models of devices; an expression that tells more than this apart gains nothing. */
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
