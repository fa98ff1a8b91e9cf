package dev.fakegpu.dra;

import java.util.Map;

/**
 * The resources that the devices of one piece of hardware share: named counters from which the devices consume.
 *
 * @param name a DNS label, unique in the pool
 * @param counters the total of each counter
 */
public record CounterSet(String name, Map<String, Quantity> counters) {

    public CounterSet {
        counters = ImmutableCopies.ofMap(counters);
    }
}
