package dev.fakegpu.cluster.check;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.hardware.inventory.Syntax;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** Rules about the fields of counter sets, and of what devices consume (KEP-4815, KEP-5963). */
final class CounterChecks {

    private static final String REFUSED = "The API server refuses the slice.";

    private static final Rule NAME = Rule.error(
            Scope.SLICE,
            "invalid-counter-name",
            REFUSED,
            "Use lower case letters, digits and -, at most " + Limits.LABEL
                    + " characters, for counter sets and counters.",
            Sources.validation("validateCounterName (DNS label)"));
    private static final Rule EMPTY_SET = Rule.error(
            Scope.SLICE,
            "counter-set-without-counters",
            REFUSED,
            "Declare the counters, or remove the set.",
            Sources.validation("validateCounterSet"));
    private static final Rule EMPTY = Rule.error(
            Scope.SLICE,
            "consumption-without-counters",
            REFUSED,
            "Say how much of which counter the device takes, or remove the entry.",
            Sources.validation("validateDeviceCounterConsumption"));
    private static final Rule TOO_MANY = Rule.error(
            Scope.SLICE,
            "too-many-counters",
            REFUSED,
            "Leave out counters that never decide anything.",
            Sources.types("ResourceSliceMaxCountersPerCounterSet = " + Limits.COUNTERS + ","
                    + " ResourceSliceMaxCountersPerDeviceCounterConsumption = " + Limits.COUNTERS));
    private static final Rule CONSUMPTIONS = Rule.error(
            Scope.SLICE,
            "too-many-consumptions",
            REFUSED,
            "Let a device consume from at most two counter sets.",
            Sources.types("ResourceSliceMaxDeviceCounterConsumptionsPerDevice = 2"));
    private static final Rule TWICE = Rule.error(
            Scope.SLICE,
            "counter-set-consumed-twice",
            REFUSED,
            "Put all counters of the set into one entry.",
            Sources.types("Device.consumesCounters, unique by counterSet"));
    private static final Rule NEGATIVE = Rule.warning(
            Scope.SLICE,
            "negative-counter",
            "The API server accepts it; a negative counter makes every consumer of the pool unallocatable, and negative consumption"
                    + " creates what the hardware has not.",
            "Publish what there is.",
            Sources.validation("validateDeviceCounter, which accepts any quantity"));
    private static final Rule GROUPS = Rule.error(
            Scope.SLICE,
            "too-many-groups",
            REFUSED,
            "Name at most two compatibility groups.",
            Sources.types("DeviceCompatibilityGroupsMaxSize = 2") + "; KEP-5963");
    private static final Rule GROUP_NAME = Rule.error(
            Scope.SLICE,
            "invalid-group",
            REFUSED,
            "Use DNS labels, each once.",
            Sources.types("DeviceCounterConsumption.compatibilityGroups: unique, k8s-short-name") + "; KEP-5963");

    static final List<Rule> RULES =
            List.of(NAME, EMPTY_SET, EMPTY, TOO_MANY, CONSUMPTIONS, TWICE, NEGATIVE, GROUPS, GROUP_NAME);

    private CounterChecks() {}

    static void check(CheckedSlice slice, Violations findings) {
        List<CounterSet> sets = slice.slice().counterSets();
        for (int i = 0; i < sets.size(); i++) {
            Where where = slice.at("spec.sharedCounters[" + i + "]");
            if (!Syntax.DNS_LABEL.matches(sets.get(i).name())) {
                findings.add(NAME, where, invalid(sets.get(i).name()));
            }
            counters(sets.get(i).counters(), where, EMPTY_SET, findings);
        }
    }

    static void check(CheckedDevice device, Violations findings) {
        List<CounterConsumption> entries = device.device().consumesCounters();
        if (entries.size() > Limits.CONSUMPTIONS) {
            findings.add(
                    CONSUMPTIONS,
                    device.at("consumesCounters"),
                    "has %s entries, at most %s are allowed".formatted(entries.size(), Limits.CONSUMPTIONS));
        }
        var sets = new HashSet<String>();
        for (int i = 0; i < entries.size(); i++) {
            CounterConsumption entry = entries.get(i);
            Where where = device.at("consumesCounters[" + i + "]");
            if (!sets.add(entry.counterSet())) {
                findings.add(TWICE, where, "consumes from " + Words.quoted(entry.counterSet()) + " again");
            }
            counters(entry.counters(), where, EMPTY, findings);
            groups(entry.compatibilityGroups(), where, findings);
        }
    }

    private static void counters(Map<String, Quantity> counters, Where where, Rule ifEmpty, Violations findings) {
        if (counters.isEmpty()) {
            findings.add(ifEmpty, where, "has no counters");
        }
        if (counters.size() > Limits.COUNTERS) {
            findings.add(
                    TOO_MANY,
                    where,
                    "has %s counters, at most %s are allowed".formatted(counters.size(), Limits.COUNTERS));
        }
        counters.forEach((name, amount) -> {
            if (!Syntax.DNS_LABEL.matches(name)) {
                findings.add(NAME, where, invalid(name));
            }
            if (amount.signum() < 0) {
                findings.add(NEGATIVE, where, "counter %s has %s".formatted(name, amount));
            }
        });
    }

    private static void groups(List<String> groups, Where where, Violations findings) {
        if (groups.size() > Limits.GROUPS) {
            findings.add(
                    GROUPS, where, "has %s groups, at most %s are allowed".formatted(groups.size(), Limits.GROUPS));
        }
        if (new HashSet<>(groups).size() < groups.size()) {
            findings.add(GROUP_NAME, where, "names a group twice: " + String.join(", ", groups));
        }
        groups.stream()
                .filter(group -> !Syntax.DNS_LABEL.matches(group))
                .forEach(group -> findings.add(GROUP_NAME, where, invalid(group)));
    }

    private static String invalid(String name) {
        return Words.quoted(name) + " is not " + Syntax.DNS_LABEL.description();
    }
}
