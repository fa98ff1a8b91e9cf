package dev.fakegpu.engine.headroom;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.allocate.pool.GroupState;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.allocate.pool.PoolDevice;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the allocated devices leave of a pool's counter sets.
 *
 * @param counters the remaining amount of each counter, by counter set; negative if overdrawn
 * @param groups the state of each counter set that is in use
 */
public record PoolRemainder(Map<String, Map<String, Quantity>> counters, Map<String, GroupState> groups) {

    static PoolRemainder of(Pool.Usable pool, AllocatedDevices allocated) {
        return of(
                pool.counterSets().values(),
                Stream.concat(pool.devices().stream(), pool.elsewhere())
                        .filter(device -> allocated.isAllocated(device.id()))
                        .map(PoolDevice::device),
                allocated.members(pool).stream().flatMap(member -> member.memberships().stream()));
    }

    /**
     * Computes the remainder.
     *
     * @param held the published devices that are held, each once: a device consumes counters once, however many claims share it
     * @param memberships the counter sets that held devices are on, with the groups that count there
     */
    public static PoolRemainder of(
            Collection<CounterSet> counterSets, Stream<Device> held, Stream<AllocatedDevices.Membership> memberships) {
        var counters = new LinkedHashMap<String, Map<String, Quantity>>();
        counterSets.forEach(set -> counters.put(set.name(), new LinkedHashMap<>(set.counters())));
        held.flatMap(device -> device.consumesCounters().stream())
                .forEach(entry -> subtract(entry, counters.getOrDefault(entry.counterSet(), Map.of())));
        var groups = new HashMap<String, GroupState>();
        memberships.forEach(membership -> groups.merge(
                membership.counterSet(),
                GroupState.FREE.place(membership.groups()),
                (before, alone) -> before.place(membership.groups())));
        return new PoolRemainder(counters, groups);
    }

    private static void subtract(CounterConsumption entry, Map<String, Quantity> left) {
        entry.counters()
                .forEach((counter, amount) -> left.computeIfPresent(counter, (name, before) -> before.minus(amount)));
    }

    public GroupState group(String counterSet) {
        return groups.getOrDefault(counterSet, GroupState.FREE);
    }

    /** Whether compatibility groups keep the device off one of its counter sets. */
    public boolean groupsRefuse(List<CounterConsumption> consumption) {
        return consumption.stream().anyMatch(entry -> !group(entry.counterSet()).admits(entry.compatibilityGroups()));
    }

    /** The first counter of which less is left than the device consumes. */
    public Optional<String> shortCounter(List<CounterConsumption> consumption) {
        return consumption.stream()
                .flatMap(entry -> entry.counters().entrySet().stream()
                        .filter(amount -> amount.getValue().compareTo(left(entry.counterSet(), amount.getKey())) > 0))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** The remaining amount; zero if there is no such counter. */
    public Quantity left(String counterSet, String counter) {
        return counters.getOrDefault(counterSet, Map.of()).getOrDefault(counter, Quantity.ZERO);
    }
}
