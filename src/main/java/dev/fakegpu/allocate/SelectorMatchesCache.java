package dev.fakegpu.allocate;

import dev.fakegpu.cel.Selectors;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What selectors say of the devices of a pool, kept across attempts. Safe for use by several threads. */
final class SelectorMatchesCache {

    /** Users write selectors, so their number has no bound of its own. */
    private static final int MAX_REMEMBERED = 256;

    private final List<PoolDevice> devices;
    private final Map<Question, SelectorMatches> known = new ConcurrentHashMap<>();

    SelectorMatchesCache(List<PoolDevice> devices) {
        this.devices = devices;
    }

    /** The selectors of a class and those of a request, in the order in which they are asked. */
    record Question(List<String> ofClass, List<String> ofRequest) {}

    SelectorMatches of(Question question, Selectors selectors) {
        SelectorMatches selection = known.get(question);
        if (selection == null) {
            if (known.size() >= MAX_REMEMBERED) {
                known.clear();
            }
            selection = known.computeIfAbsent(question, asked -> new SelectorMatches(devices, asked, selectors));
        }
        return selection;
    }
}
