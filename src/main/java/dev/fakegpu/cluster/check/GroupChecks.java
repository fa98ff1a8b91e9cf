package dev.fakegpu.cluster.check;

import dev.fakegpu.dra.CounterConsumption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Rules about compatibility groups (KEP-5963) whose meaning depends on the order of allocations. */
final class GroupChecks {

    private static final Rule CHAIN = Rule.warning(
            Scope.POOL,
            "group-chain",
            "The device in the middle goes with both others, which exclude each other: what is allocated first decides what can follow.",
            "Give devices that may run together one common group, and no group to what joins two modes.",
            Sources.kep("5963 (compatibility groups): the groups of allocated devices are intersected"));
    private static final Rule PAIRWISE = Rule.warning(
            Scope.POOL,
            "groups-only-pairwise",
            "Any two of the devices go together, but never all three: after the first two, one common group is left.",
            "Give all three a common group.",
            Sources.kep("5963 (compatibility groups): the groups of allocated devices are intersected"));

    static final List<Rule> RULES = List.of(CHAIN, PAIRWISE);

    private GroupChecks() {}

    static void check(CheckedPool pool, Violations findings) {
        var bySet = new LinkedHashMap<String, Map<Set<String>, CheckedDevice>>();
        for (CheckedDevice device : pool.devices()) {
            for (CounterConsumption entry : device.device().consumesCounters()) {
                if (!entry.compatibilityGroups().isEmpty()) {
                    bySet.computeIfAbsent(entry.counterSet(), ignored -> new LinkedHashMap<>())
                            .putIfAbsent(new TreeSet<>(entry.compatibilityGroups()), device);
                }
            }
        }
        bySet.forEach((set, devices) -> {
            chain(set, devices, findings);
            pairwise(set, devices, findings);
        });
    }

    private static void chain(String set, Map<Set<String>, CheckedDevice> devices, Violations findings) {
        for (Set<String> middle : devices.keySet()) {
            var joined = new ArrayList<>(devices.keySet());
            joined.removeIf(other -> other.equals(middle) || Collections.disjoint(other, middle));
            for (Set<String> left : joined) {
                for (Set<String> right : joined) {
                    if (Collections.disjoint(left, right)) {
                        add(CHAIN, set, List.of(left, middle, right), devices, findings);
                        return;
                    }
                }
            }
        }
    }

    private static void pairwise(String set, Map<Set<String>, CheckedDevice> devices, Violations findings) {
        List<Set<String>> groups = List.copyOf(devices.keySet());
        for (int i = 0; i < groups.size(); i++) {
            for (int j = i + 1; j < groups.size(); j++) {
                var common = new TreeSet<>(groups.get(i));
                common.retainAll(groups.get(j));
                for (int k = j + 1; k < groups.size() && !common.isEmpty(); k++) {
                    Set<String> third = groups.get(k);
                    if (Collections.disjoint(common, third)
                            && !Collections.disjoint(groups.get(i), third)
                            && !Collections.disjoint(groups.get(j), third)) {
                        add(PAIRWISE, set, List.of(groups.get(i), groups.get(j), third), devices, findings);
                        return;
                    }
                }
            }
        }
    }

    private static void add(
            Rule rule,
            String set,
            List<Set<String>> three,
            Map<Set<String>, CheckedDevice> devices,
            Violations findings) {
        List<CheckedDevice> theirs =
                three.stream().map(groups -> device(groups, devices)).toList();
        findings.add(
                rule,
                theirs.get(1).at("consumesCounters"),
                "on counter set %s %s has groups %s, %s has %s, and %s has %s"
                        .formatted(
                                set,
                                theirs.get(0).name(),
                                three.get(0),
                                theirs.get(1).name(),
                                three.get(1),
                                theirs.get(2).name(),
                                three.get(2)));
    }

    private static CheckedDevice device(Set<String> groups, Map<Set<String>, CheckedDevice> devices) {
        return Objects.requireNonNull(devices.get(groups));
    }
}
