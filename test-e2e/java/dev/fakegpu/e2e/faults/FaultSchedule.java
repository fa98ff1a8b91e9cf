package dev.fakegpu.e2e.faults;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** Decides which request has which fault, and counts. The same requests in the same order have the same faults for a seed. */
final class FaultSchedule {

    private final Random random;
    private final Map<String, Long> injected = new TreeMap<>();
    private final Map<FaultRule, Integer> uses = new HashMap<>();
    private List<FaultRule> rules = List.of();

    FaultSchedule(long seed) {
        random = new Random(seed);
    }

    /** These instead of those before. */
    synchronized void set(List<FaultRule> wanted) {
        rules = List.copyOf(wanted);
        uses.clear();
    }

    /** The fault of the first rule that selects the request and happens. */
    synchronized Optional<Fault> next(ApiRequest request) {
        for (FaultRule rule : rules) {
            if (rule.selects(request)
                    && uses.getOrDefault(rule, 0) < rule.times()
                    && random.nextDouble() < rule.probability()) {
                uses.merge(rule, 1, Integer::sum);
                injected.merge(rule.fault().title(), 1L, Long::sum);
                return Optional.of(rule.fault());
            }
        }
        return Optional.empty();
    }

    /** How often each kind has happened, since the beginning. */
    synchronized Map<String, Long> injected() {
        return new TreeMap<>(injected);
    }
}
