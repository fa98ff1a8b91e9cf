package dev.fakegpu.engine.allocate.pool;

import dev.fakegpu.engine.cel.Selectors;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Caches the selector matches of a pool across allocations. Thread-safe. */
public final class SelectorMatchesCache {

    /** The maximum number of entries. Users write selectors, so nothing else limits their number. */
    private static final int MAX_REMEMBERED = 256;

    private final List<PoolDevice> devices;
    private final Map<Expressions, SelectorMatches> known = new ConcurrentHashMap<>();

    SelectorMatchesCache(List<PoolDevice> devices) {
        this.devices = devices;
    }

    /** Takes over what is known of the same pool before it changed. */
    void keep(SelectorMatchesCache before, long[] equalDevices) {
        before.known.forEach((expressions, matches) -> known.put(expressions, matches.keep(devices, equalDevices)));
    }

    /** The CEL expressions of a class and those of a request, in the order of evaluation. */
    public record Expressions(List<String> ofClass, List<String> ofRequest) {}

    public SelectorMatches of(Expressions expressions, Selectors selectors) {
        SelectorMatches matches = known.get(expressions);
        if (matches == null) {
            if (known.size() >= MAX_REMEMBERED) {
                known.clear();
            }
            matches = known.computeIfAbsent(expressions, added -> new SelectorMatches(devices, added, selectors));
        }
        return matches;
    }
}
