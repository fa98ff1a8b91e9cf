package dev.fakegpu.engine.matrix;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.headroom.Count;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Lints for one counter set. */
final class SetLints {

    private static final int MAX_NAMES_SHOWN = 4;

    private final SharedSet shared;
    private final Pairs pairs;
    private final String alike;
    private final List<Device> devices;
    private final List<Lint> found = new ArrayList<>();

    private SetLints(SharedSet shared, Pairs pairs, int alike) {
        this.shared = shared;
        this.pairs = pairs;
        this.alike = alike == 0 ? "" : " (and likewise for " + alike + " more counter sets like it)";
        this.devices = shared.devices();
    }

    /**
     * Lints a usable pool.
     *
     * @param alike the number of equal counter sets that this one represents
     */
    static List<Lint> of(SharedSet shared, Pairs pairs, int alike) {
        return new SetLints(shared, pairs, alike).check();
    }

    /**
     * Lints a pool that allocators do not use. It reports only what is still wrong when the rest is fixed: results that depend on which
     * devices fit together, or on the total consumption, may change then.
     *
     * @param alike the number of equal counter sets that this one represents
     */
    static List<Lint> ofInvalidPool(SharedSet shared, int alike) {
        var lints = new SetLints(shared, new Pairs(shared.hardware().counterSets()), alike);
        shared.kinds().forEach(lints::neverAllocated);
        return List.copyOf(lints.found);
    }

    private List<Lint> check() {
        if (devices.isEmpty()) {
            add(Lint.Rule.UNSHARED_SET, "no device takes anything from " + shared);
            return List.copyOf(found);
        }
        if (devices.size() == 1 && !isWhole(devices.get(0))) {
            add(
                    Lint.Rule.UNSHARED_SET,
                    "only device %s takes from %s, and not all of it, so the rest cannot be had"
                            .formatted(devices.get(0).name(), shared),
                    devices.get(0));
        }
        unusedCounters();
        shared.kinds().forEach(this::neverAllocated);
        shared.kinds().forEach(this::unreachableMaximum);
        mixedGroups();
        groups();
        return List.copyOf(found);
    }

    /** Whether the devices use up the set, like a whole GPU without partitions, so that the author did not forget another device. */
    private boolean isWhole(Device device) {
        return shared.set().counters().entrySet().stream()
                .allMatch(counter -> amount(device, counter.getKey()).compareTo(counter.getValue()) >= 0);
    }

    private void unusedCounters() {
        shared.set().counters().forEach((counter, available) -> {
            if (available.signum() > 0 && taken(counter).signum() == 0) {
                add(
                        Lint.Rule.UNUSED_COUNTER,
                        "no device takes from counter %s of %s, which has %s".formatted(counter, shared, available));
            }
        });
    }

    private Quantity taken(String counter) {
        return devices.stream()
                .map(device -> shared.consumption(device).counters().getOrDefault(counter, Quantity.ZERO))
                .reduce(Quantity.ZERO, Quantity::plus);
    }

    private void neverAllocated(Kind kind) {
        shared.set().counters().forEach((counter, available) -> {
            var excessive = kind.devices().stream()
                    .filter(device -> amount(device, counter).compareTo(available) > 0)
                    .toList();
            if (!excessive.isEmpty()) {
                add(
                        Lint.Rule.NEVER_ALLOCATED,
                        "%s takes %s of counter %s, of which %s has %s: it can never be allocated"
                                .formatted(
                                        names(excessive),
                                        amount(excessive.get(0), counter),
                                        counter,
                                        shared,
                                        available),
                        excessive.get(0));
            }
        });
    }

    private Quantity amount(Device device, String counter) {
        return shared.consumption(device).counters().getOrDefault(counter, Quantity.ZERO);
    }

    /**
     * Only for interchangeable devices, since placements can be allocated one by one, but never all at once. Devices that claims share are
     * not slots of which one more would be one too many: those of AMD's driver are modes of a GPU, which exclude each other.
     */
    private void unreachableMaximum(Kind kind) {
        if (kind.isShared()) {
            return;
        }
        var slots = new LinkedHashMap<List<CounterConsumption>, List<Device>>();
        kind.devices()
                .forEach(device -> slots.computeIfAbsent(device.consumesCounters(), ignored -> new ArrayList<>())
                        .add(device));
        slots.values().stream().filter(same -> same.size() > 1).forEach(same -> {
            Count atOnce = shared.hardware().atOnce(same);
            if (atOnce.isExact() && atOnce.atLeast() > 0 && atOnce.atLeast() < same.size()) {
                add(
                        Lint.Rule.UNREACHABLE_MAXIMUM,
                        "%s devices %s are published on %s, but only %s fit at once: %s"
                                .formatted(
                                        same.size(),
                                        Kind.stem(same.get(0)),
                                        shared,
                                        atOnce.atLeast(),
                                        shortOf(same.get(0), atOnce.atLeast() + 1)),
                        same.get(0));
            }
        });
    }

    /** The counters of which this many devices together consume more than the total. */
    private String shortOf(Device device, long count) {
        var needs = new ArrayList<String>();
        device.consumesCounters()
                .forEach(entry -> entry.counters().forEach((counter, amount) -> {
                    Quantity available = shared.hardware().counterSets().stream()
                            .filter(set -> set.name().equals(entry.counterSet()))
                            .findFirst()
                            .map(set -> set.counters().getOrDefault(counter, Quantity.ZERO))
                            .orElse(Quantity.ZERO);
                    if (amount.times(count).compareTo(available) > 0) {
                        needs.add("each takes %s of counter %s, of which there is %s"
                                .formatted(amount, counter, available));
                    }
                }));
        return String.join("; ", needs);
    }

    private void mixedGroups() {
        var with = devices.stream()
                .filter(device -> !shared.groups(device).isEmpty())
                .toList();
        var without = devices.stream()
                .filter(device -> shared.groups(device).isEmpty())
                .toList();
        if (!with.isEmpty() && !without.isEmpty()) {
            add(
                    Lint.Rule.MIXED_GROUPS,
                    "on %s %s device(s) have no groups (%s) and %s have (%s): the ones never go with the others"
                            .formatted(shared, without.size(), names(without), with.size(), names(with)),
                    without.get(0));
        }
    }

    private void groups() {
        Map<String, Set<Device>> byGroup = new TreeMap<>();
        devices.forEach(device -> shared.groups(device)
                .forEach(group -> byGroup.computeIfAbsent(group, ignored -> new LinkedHashSet<>())
                        .add(device)));
        byGroup.forEach((group, members) -> {
            Optional<String> other = covering(group, members, byGroup);
            if (other.isPresent()) {
                add(
                        Lint.Rule.REDUNDANT_GROUP,
                        "group \"%s\" makes no difference on %s: all devices that have it (%s) have \"%s\" as well"
                                .formatted(group, shared, names(members), other.get()),
                        members.iterator().next());
            } else if (members.size() == 1) {
                lonely(group, members.iterator().next());
            } else {
                neverMeet(group, List.copyOf(members));
            }
        });
    }

    /** Another group that all devices with this group also have. If two groups have the same devices, the alphabetically first is kept. */
    private static Optional<String> covering(String group, Set<Device> members, Map<String, Set<Device>> byGroup) {
        return byGroup.entrySet().stream()
                .filter(other ->
                        !other.getKey().equals(group) && other.getValue().containsAll(members))
                .filter(other -> other.getValue().size() > members.size()
                        || other.getKey().compareTo(group) < 0)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Does not apply to devices that share no counter: groups are the way to declare that these exclude each other. */
    private void lonely(String group, Device device) {
        if (shared.groups(device).size() > 1) {
            return;
        }
        var roomFor = devices.stream()
                .filter(other -> other != device && shareACounter(device, other))
                .filter(other -> pairs.of(device, other).shortCounter().isEmpty())
                .toList();
        if (!roomFor.isEmpty()) {
            add(
                    Lint.Rule.LONELY_GROUP,
                    "device %s is the only one with group \"%s\" on %s: nothing goes with it, although the counters that they share leave room for %s"
                            .formatted(device.name(), group, shared, names(roomFor)),
                    device);
        }
    }

    private boolean shareACounter(Device one, Device other) {
        return shared.set().counters().keySet().stream()
                .anyMatch(counter -> amount(one, counter).signum() > 0
                        && amount(other, counter).signum() > 0);
    }

    private void neverMeet(String group, List<Device> members) {
        for (int i = 0; i < members.size(); i++) {
            for (int j = i + 1; j < members.size(); j++) {
                if (pairs.of(members.get(i), members.get(j)).shortCounter().isEmpty()) {
                    return;
                }
            }
        }
        Device one = members.get(0);
        Device other = members.get(1);
        String counter = pairs.of(one, other).shortCounter().orElse("");
        add(
                Lint.Rule.NEVER_MEET,
                "%s devices have group \"%s\" on %s (%s), but no two of them ever meet: %s and %s take %s and %s of counter %s, of"
                                .formatted(
                                        members.size(),
                                        group,
                                        shared,
                                        names(members),
                                        one.name(),
                                        other.name(),
                                        amount(one, counter),
                                        amount(other, counter),
                                        counter)
                        + " which there is " + shared.set().counters().getOrDefault(counter, Quantity.ZERO),
                one);
    }

    private static String names(Collection<Device> some) {
        List<String> names = Kind.names(List.copyOf(some));
        return String.join(", ", names.subList(0, Math.min(MAX_NAMES_SHOWN, names.size())))
                + (names.size() > MAX_NAMES_SHOWN ? " and more" : "");
    }

    private void add(Lint.Rule rule, String sentence) {
        add(rule, sentence, "");
    }

    private void add(Lint.Rule rule, String sentence, Device about) {
        add(rule, sentence, about.name());
    }

    private void add(Lint.Rule rule, String sentence, String device) {
        var subject = new Lint.Subject(shared.hardware().pool(), shared.set().name(), device);
        found.add(new Lint(rule, sentence + alike, subject));
    }
}
