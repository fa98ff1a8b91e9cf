package dev.fakegpu.dra;

import java.util.Map;

/**
 * What the devices of one piece of hardware share: named counters that their consumption is taken from.
 *
 * @param name a DNS label, unique in the pool
 * @param counters what there is of each counter
 */
public record CounterSet(String name, Map<String, Quantity> counters) {

    public CounterSet {
        counters = ImmutableCopies.ofMap(counters);
    }
}
