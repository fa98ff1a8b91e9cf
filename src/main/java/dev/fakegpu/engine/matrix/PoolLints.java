package dev.fakegpu.engine.matrix;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds errors that make a whole pool unusable: allocators do not take devices from it (upstream: {@code pools_experimental.go}). */
final class PoolLints {

    private static final String USELESS = "; an allocator takes no device of such a pool";

    private final PoolHardware hardware;
    private final Map<String, CounterSet> sets = new LinkedHashMap<>();
    private final List<Lint> found = new ArrayList<>();

    private PoolLints(PoolHardware hardware) {
        this.hardware = hardware;
    }

    static List<Lint> of(PoolHardware hardware) {
        return new PoolLints(hardware).check();
    }

    private List<Lint> check() {
        if (hardware.missingSlices() != 0) {
            add(
                    Lint.Rule.INCOMPLETE_POOL,
                    "says that it has %s ResourceSlice(s) %s than there are"
                            .formatted(
                                    Math.abs(hardware.missingSlices()), hardware.missingSlices() > 0 ? "more" : "less"),
                    "",
                    "");
        }
        hardware.counterSets().forEach(set -> {
            if (sets.put(set.name(), set) != null) {
                add(Lint.Rule.DUPLICATE_NAME, "has two counter sets " + set.name(), set.name(), "");
            }
        });
        Set<String> names = new HashSet<>();
        for (Device device : hardware.devices()) {
            if (!names.add(device.name())) {
                add(Lint.Rule.DUPLICATE_NAME, "has two devices " + device.name(), "", device.name());
            }
            device.consumesCounters().forEach(entry -> check(device, entry));
        }
        return List.copyOf(found);
    }

    private void check(Device device, CounterConsumption entry) {
        CounterSet set = sets.get(entry.counterSet());
        if (set == null) {
            add(
                    Lint.Rule.UNKNOWN_COUNTER,
                    "has no counter set %s, which device %s takes from; there are: %s"
                            .formatted(entry.counterSet(), device.name(), String.join(", ", sets.keySet())),
                    entry.counterSet(),
                    device.name());
            return;
        }
        entry.counters().keySet().stream()
                .filter(counter -> !set.counters().containsKey(counter))
                .forEach(counter -> add(
                        Lint.Rule.UNKNOWN_COUNTER,
                        "has no counter %s in %s, which device %s takes from; there are: %s"
                                .formatted(
                                        counter,
                                        set.name(),
                                        device.name(),
                                        set.counters().keySet().stream().collect(Collectors.joining(", "))),
                        set.name(),
                        device.name()));
    }

    private void add(Lint.Rule rule, String what, String counterSet, String device) {
        var subject = new Lint.Subject(hardware.pool(), counterSet, device);
        found.add(new Lint(rule, "pool " + hardware.pool().name() + " " + what + USELESS, subject));
    }
}
