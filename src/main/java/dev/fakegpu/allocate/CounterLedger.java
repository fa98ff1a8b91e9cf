package dev.fakegpu.allocate;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Quantity;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * What is left of the counters of one pool (KEP-4815). Upstream: {@code checkAvailableCounters} in
 * {@code allocator_experimental.go}.
 */
public final class CounterLedger implements Ledger {

    private final Map<String, Map<String, Quantity>> free = new HashMap<>();
    private final Deque<PoolDevice> placed = new ArrayDeque<>();
    private boolean overdrawn;

    /** Starts with what the pool's counter sets declare, less what the published devices that are held consume. */
    public CounterLedger(Pool.Usable pool, Holdings holdings) {
        pool.counterSets().forEach((name, set) -> free.put(name, new HashMap<>(set.counters())));
        pool.devices().forEach(device -> takeIfHeld(device, holdings));
        pool.elsewhere().forEach(device -> takeIfHeld(device, holdings));
        overdrawn = free.values().stream()
                .flatMap(counters -> counters.values().stream())
                .anyMatch(left -> left.signum() < 0);
    }

    private void takeIfHeld(PoolDevice device, Holdings holdings) {
        if (holdings.isHeld(device.id())) {
            add(device, -1);
        }
    }

    /** How much of a counter is left; it may be less than nothing. */
    public Quantity free(String counterSet, String counter) {
        return free.getOrDefault(counterSet, Map.of()).getOrDefault(counter, Quantity.ZERO);
    }

    /** Upstream compares all counters of the pool: one that is overdrawn blocks every device that consumes any. */
    @Override
    public boolean tryPlace(PoolDevice device) {
        if (overdrawn && !device.device().consumesCounters().isEmpty()) {
            return false;
        }
        add(device, -1);
        if (isShort(device)) {
            add(device, 1);
            return false;
        }
        placed.push(device);
        return true;
    }

    private boolean isShort(PoolDevice device) {
        return device.device().consumesCounters().stream()
                .anyMatch(entry -> entry.counters().keySet().stream()
                        .anyMatch(counter -> free(entry.counterSet(), counter).signum() < 0));
    }

    private void add(PoolDevice device, int factor) {
        for (CounterConsumption entry : device.device().consumesCounters()) {
            Map<String, Quantity> counters = free.get(entry.counterSet());
            if (counters != null) {
                entry.counters()
                        .forEach((name, amount) ->
                                counters.computeIfPresent(name, (ignored, left) -> left.plus(amount.times(factor))));
            }
        }
    }

    @Override
    public int mark() {
        return placed.size();
    }

    @Override
    public void undo(int mark) {
        while (placed.size() > mark) {
            add(placed.pop(), 1);
        }
    }
}
