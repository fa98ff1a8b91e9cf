package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Device;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.allocate.pool.PoolDevice;
import dev.fakegpu.engine.allocate.refusal.Blockers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Finds the claims that use devices, counters and capacity, both allocated claims and claims for which devices are picked. */
final class BlockerFinder {

    private final PartialAllocation partial;
    private final AllocatedDevices allocated;

    /** The users of counter sets and counters, by pool. Valid until more devices are picked. */
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

        Blockers blockers(Blockers.Collector collector) {
            return collected.computeIfAbsent(collector, Blockers.Collector::collect);
        }
    }

    BlockerFinder(PartialAllocation partial, AllocatedDevices allocated) {
        this.partial = partial;
        this.allocated = allocated;
    }

    /** The claims that hold a device as a whole. */
    Blockers of(RequestVariant variant, int pool, int device) {
        List<AllocatedDevice> held = variant.isAdmin()
                ? List.of()
                : allocated.ofDevice(device(pool, device).id());
        if (held.size() == 1 && partial.picks().isEmpty()) {
            return ofOne.computeIfAbsent(held.get(0).holder(), BlockerFinder::onlyOne);
        }
        return collect(held.stream().filter(each -> each.share() == null), pool, device, pick -> pick.share() == null);
    }

    private static Blockers onlyOne(ClaimRef claim) {
        var collector = new Blockers.Collector();
        collector.add(claim, "");
        return collector.collect();
    }

    /** The claims that hold shares of a device. */
    Blockers sharing(int pool, int device) {
        List<AllocatedDevice> held = allocated.ofDevice(device(pool, device).id());
        return collect(held.stream().filter(each -> each.share() != null), pool, device, pick -> pick.share() != null);
    }

    private Blockers collect(
            Stream<AllocatedDevice> held, int pool, int device, Predicate<PartialAllocation.Pick> counts) {
        var collector = new Blockers.Collector();
        held.forEach(each -> collector.add(each.holder(), ""));
        picks(pool)
                .filter(pick -> pick.device() == device && counts.test(pick))
                .forEach(pick ->
                        collector.add(pick.variant().claim(), pick.variant().resultName()));
        return collector.collect();
    }

    /** The claims whose devices are on a counter set, with or without groups. */
    Blockers inGroups(int pool, String counterSet) {
        Counters counters = counters(pool);
        return counters.blockers(counters.onSet(counterSet));
    }

    /** The claims whose devices consume a counter. */
    Blockers ofCounter(int pool, String counterSet, String counter) {
        Counters counters = counters(pool);
        return counters.blockers(counters.takingFrom(new Counter(counterSet, counter)));
    }

    private Counters counters(int pool) {
        if (picksKnown != partial.picks().size()) {
            byPool.clear();
            picksKnown = partial.picks().size();
        }
        return byPool.computeIfAbsent(pool, this::collectCounters);
    }

    private Counters collectCounters(int pool) {
        var counters = new Counters();
        Pool.Usable usable = partial.state(pool).pool();
        allocated
                .members(usable)
                .forEach(member -> member.memberships().stream()
                        .map(AllocatedDevices.Membership::counterSet)
                        .distinct()
                        .forEach(set -> add(counters.onSet(set), member.device())));
        Stream.concat(usable.devices().stream(), usable.elsewhere())
                .forEach(device -> allocated
                        .ofDevice(device.id())
                        .forEach(held ->
                                counters(device.device()).forEach(counter -> add(counters.takingFrom(counter), held))));
        picks(pool).filter(PartialAllocation.Pick::takesCounters).forEach(pick -> addPick(counters, pick));
        return counters;
    }

    private static void add(Blockers.Collector collector, AllocatedDevice held) {
        collector.add(held.holder(), "", held.id().device());
    }

    private void addPick(Counters counters, PartialAllocation.Pick pick) {
        Device device = device(pick.pool(), pick.device()).device();
        Stream.concat(
                        device.consumesCounters().stream()
                                .map(CounterConsumption::counterSet)
                                .distinct()
                                .map(counters::onSet),
                        counters(device).map(counters::takingFrom))
                .forEach(collector ->
                        collector.add(pick.variant().claim(), pick.variant().resultName(), device.name()));
    }

    private static Stream<Counter> counters(Device device) {
        return device.consumesCounters().stream()
                .flatMap(entry -> entry.counters().keySet().stream().map(name -> new Counter(entry.counterSet(), name)))
                .distinct();
    }

    private Stream<PartialAllocation.Pick> picks(int pool) {
        return partial.picks().stream().filter(pick -> pick.pool() == pool);
    }

    private PoolDevice device(int pool, int device) {
        return partial.state(pool).pool().devices().get(device);
    }
}
