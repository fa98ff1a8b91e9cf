package dev.fakegpu.allocate;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Device;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Who takes devices, counters and capacity away from others: those who hold them, and those for whom they are picked. */
final class BlockerFinder {

    private final PartialAllocation attempt;
    private final AllocatedDevices holdings;

    /** Who is on counter sets and takes from counters, by pool, as long as nothing more is picked. */
    private final Map<Integer, Counters> byPool = new HashMap<>();

    private final Map<ClaimRef, Blockers> ofOne = new HashMap<>();
    private int picksKnown;

    private record Counter(String set, String name) {}

    private static final class Counters {
        private final Map<String, Blockers.Collector> onSet = new HashMap<>();
        private final Map<Counter, Blockers.Collector> takingFrom = new HashMap<>();
        private final Map<Blockers.Collector, Blockers> collected = new HashMap<>();

        Blockers.Collector onSet(String set) {
            return onSet.computeIfAbsent(set, ignored -> new Blockers.Collector());
        }

        Blockers.Collector takingFrom(Counter counter) {
            return takingFrom.computeIfAbsent(counter, ignored -> new Blockers.Collector());
        }

        Blockers holders(Blockers.Collector collector) {
            return collected.computeIfAbsent(collector, Blockers.Collector::collect);
        }
    }

    BlockerFinder(PartialAllocation attempt, AllocatedDevices holdings) {
        this.attempt = attempt;
        this.holdings = holdings;
    }

    /** Who has a device whole. */
    Blockers of(RequestVariant ask, int pool, int device) {
        List<AllocatedDevice> held = ask.isAdmin()
                ? List.of()
                : holdings.holdersOf(device(pool, device).id());
        if (held.size() == 1 && attempt.picks().isEmpty()) {
            return ofOne.computeIfAbsent(held.get(0).holder(), BlockerFinder::onlyOne);
        }
        return collect(held.stream().filter(each -> each.share() == null), pool, device, pick -> pick.share() == null);
    }

    private static Blockers onlyOne(ClaimRef claim) {
        var holders = new Blockers.Collector();
        holders.add(claim, "");
        return holders.collect();
    }

    /** Who has shares of a device. */
    Blockers sharing(int pool, int device) {
        List<AllocatedDevice> held = holdings.holdersOf(device(pool, device).id());
        return collect(held.stream().filter(each -> each.share() != null), pool, device, pick -> pick.share() != null);
    }

    private Blockers collect(
            Stream<AllocatedDevice> held, int pool, int device, Predicate<PartialAllocation.Pick> counts) {
        var holders = new Blockers.Collector();
        held.forEach(each -> holders.add(each.holder(), ""));
        picks(pool)
                .filter(pick -> pick.device() == device && counts.test(pick))
                .forEach(pick -> holders.add(pick.ask().claim(), pick.ask().resultName()));
        return holders.collect();
    }

    /** Who is on a counter set with groups, or without. */
    Blockers inGroups(int pool, String counterSet) {
        Counters counters = counters(pool);
        return counters.holders(counters.onSet(counterSet));
    }

    /** Who takes from a counter. */
    Blockers ofCounter(int pool, String counterSet, String counter) {
        Counters counters = counters(pool);
        return counters.holders(counters.takingFrom(new Counter(counterSet, counter)));
    }

    private Counters counters(int pool) {
        if (picksKnown != attempt.picks().size()) {
            byPool.clear();
            picksKnown = attempt.picks().size();
        }
        return byPool.computeIfAbsent(pool, this::collectCounters);
    }

    private Counters collectCounters(int pool) {
        var counters = new Counters();
        Pool.Usable usable = attempt.books(pool).pool();
        holdings.members(usable)
                .forEach(member -> member.memberships().stream()
                        .map(AllocatedDevices.Membership::counterSet)
                        .distinct()
                        .forEach(set -> add(counters.onSet(set), member.holder())));
        Stream.concat(usable.devices().stream(), usable.elsewhere())
                .forEach(device -> holdings.holdersOf(device.id())
                        .forEach(held ->
                                counters(device.device()).forEach(counter -> add(counters.takingFrom(counter), held))));
        picks(pool).filter(pick -> pick.groupsBefore() != null).forEach(pick -> addPick(counters, pick));
        return counters;
    }

    private static void add(Blockers.Collector holders, AllocatedDevice held) {
        holders.add(held.holder(), "", held.id().device());
    }

    private void addPick(Counters counters, PartialAllocation.Pick pick) {
        Device device = device(pick.pool(), pick.device()).device();
        Stream.concat(
                        device.consumesCounters().stream()
                                .map(CounterConsumption::counterSet)
                                .distinct()
                                .map(counters::onSet),
                        counters(device).map(counters::takingFrom))
                .forEach(holders -> holders.add(pick.ask().claim(), pick.ask().resultName(), device.name()));
    }

    private static Stream<Counter> counters(Device device) {
        return device.consumesCounters().stream()
                .flatMap(entry -> entry.counters().keySet().stream().map(name -> new Counter(entry.counterSet(), name)))
                .distinct();
    }

    private Stream<PartialAllocation.Pick> picks(int pool) {
        return attempt.picks().stream().filter(pick -> pick.pool() == pool);
    }

    private PoolDevice device(int pool, int device) {
        return attempt.books(pool).pool().devices().get(device);
    }
}
