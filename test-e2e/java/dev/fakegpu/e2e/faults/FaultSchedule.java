package dev.fakegpu.e2e.faults;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** Decides which request has which fault, and counts. With the same seed, the same requests in the same order have the same faults. */
final class FaultSchedule {

    private final Random random;
    private final Map<String, Long> injected = new TreeMap<>();
    private final Map<FaultRule, Integer> uses = new HashMap<>();
    private List<FaultRule> rules = List.of();

    FaultSchedule(long seed) {
        random = new Random(seed);
    }

    /** Replaces all rules. */
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

    /** How often each kind of fault has happened since the start. */
    synchronized Map<String, Long> injected() {
        return new TreeMap<>(injected);
    }
}
