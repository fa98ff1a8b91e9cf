package dev.fakegpu.evidence;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rule of KEP-5963 for pods that arrive one after the other, each for one device of a type: a device is admitted if there are enough
 * counters, and if, on each counter set, either neither the device nor the allocated devices have groups, or the device has a group in
 * common with all of them.
 */
final class KepRule {

    private final Map<String, Integer> left;
    private final List<Partition> free;
    private final Map<String, Set<String>> common = new HashMap<>();

    private KepRule(Hardware hardware) {
        left = new HashMap<>(hardware.counterSets());
        free = new ArrayList<>(hardware.partitions());
    }

    /** For each type, in order, whether a device is allocated. */
    static List<Boolean> admitted(Hardware hardware, List<String> order) {
        var rule = new KepRule(hardware);
        return order.stream().map(rule::admit).toList();
    }

    private boolean admit(String type) {
        Optional<Partition> found = free.stream()
                .filter(device -> device.type().equals(type))
                .filter(device -> device.draws().stream().allMatch(this::admits))
                .findFirst();
        found.ifPresent(this::take);
        return found.isPresent();
    }

    private boolean admits(Partition.Draw draw) {
        Set<String> groups = common.get(draw.counterSet());
        boolean compatible = groups == null
                || (groups.isEmpty() && draw.declared().isEmpty())
                || draw.declared().stream().anyMatch(groups::contains);
        return compatible && left.getOrDefault(draw.counterSet(), 0) >= draw.amount();
    }

    private void take(Partition device) {
        free.remove(device);
        for (Partition.Draw draw : device.draws()) {
            left.merge(draw.counterSet(), -draw.amount(), Integer::sum);
            common.computeIfAbsent(draw.counterSet(), set -> new HashSet<>(draw.declared()))
                    .retainAll(draw.declared());
        }
    }
}
