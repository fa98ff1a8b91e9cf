package dev.fakegpu.explain;

import dev.fakegpu.allocate.AllocatorOptions;
import dev.fakegpu.allocate.CounterLedger;
import dev.fakegpu.allocate.GroupLedger;
import dev.fakegpu.allocate.GroupState;
import dev.fakegpu.allocate.Holdings;
import dev.fakegpu.allocate.Pool;
import dev.fakegpu.allocate.PoolDevice;
import dev.fakegpu.allocate.Taints;
import dev.fakegpu.allocate.Verdict;
import dev.fakegpu.allocate.Verdicts;
import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds what stops each device of one pool. Selectors are asked first, also about devices that are held, because a held device is
 * of interest only to a request that wants it.
 */
final class DeviceInspector {

    private final Pool.Usable pool;
    private final Holdings holdings;
    private final Verdicts verdicts;
    private final AllocatorOptions options;
    private final Map<DeviceId, RequestRef> requestOf;
    private final CounterLedger counters;
    private final GroupLedger groups;

    /** @param requestOf the devices that requests to be explained would take, which the holdings count as held */
    DeviceInspector(
            Pool.Usable pool,
            Holdings holdings,
            Verdicts verdicts,
            AllocatorOptions options,
            Map<DeviceId, RequestRef> requestOf) {
        this.pool = pool;
        this.holdings = holdings;
        this.verdicts = verdicts;
        this.options = options;
        this.requestOf = requestOf;
        counters = new CounterLedger(pool, holdings);
        groups = new GroupLedger(pool, holdings, options.gate());
    }

    /** Empty if nothing stops the device. */
    Optional<Obstacle> obstacle(ExactRequest request, PoolDevice device) {
        Verdict verdict = verdicts.of(request, device);
        if (verdict instanceof Verdict.Rejected rejected) {
            return Optional.of(new Obstacle.NotSelected(rejected.origin(), rejected.expression()));
        }
        if (holdings.isHeld(device.id())) {
            return Optional.of(new Obstacle.InUse(names(holders(holdings.holdersOf(device.id())))));
        }
        if (verdict instanceof Verdict.Failed failed) {
            return Optional.of(new Obstacle.SelectorFailure(failed.message()));
        }
        return incompatible(device)
                .or(() -> counterShort(device))
                .or(() -> Taints.untolerated(device.device(), request, options.tolerations())
                        .map(Obstacle.Tainted::new));
    }

    private Optional<Obstacle> incompatible(PoolDevice device) {
        int mark = groups.mark();
        boolean fits = groups.tryPlace(device);
        groups.undo(mark);
        return fits
                ? Optional.empty()
                : device.device().consumesCounters().stream()
                        .filter(entry -> !groups.state(entry.counterSet()).admits(entry.compatibilityGroups()))
                        .findFirst()
                        .or(() -> Optional.of(device.device().consumesCounters().get(0)))
                        .map(this::incompatible);
    }

    private Obstacle incompatible(CounterConsumption entry) {
        List<AllocatedDevice> members = holdings.members(pool).stream()
                .filter(member -> member.groups().byCounterSet().containsKey(entry.counterSet()))
                .map(Holdings.Member::holder)
                .toList();
        GroupState state = groups.state(entry.counterSet());
        return new Obstacle.Incompatible(entry.counterSet(), entry.compatibilityGroups(), state, holders(members));
    }

    private Optional<Obstacle> counterShort(PoolDevice device) {
        int mark = counters.mark();
        boolean fits = counters.tryPlace(device);
        counters.undo(mark);
        return fits ? Optional.empty() : ownShortage(device).or(this::overdrawn);
    }

    private Optional<Obstacle> ownShortage(PoolDevice device) {
        for (CounterConsumption entry : device.device().consumesCounters()) {
            for (Map.Entry<String, Quantity> needed : entry.counters().entrySet()) {
                if (counters.free(entry.counterSet(), needed.getKey()).compareTo(needed.getValue()) < 0) {
                    return Optional.of(counterShort(entry.counterSet(), needed.getKey(), needed.getValue()));
                }
            }
        }
        return Optional.empty();
    }

    private Optional<Obstacle> overdrawn() {
        return pool.counterSets().values().stream()
                .flatMap(set -> set.counters().keySet().stream()
                        .filter(counter -> counters.free(set.name(), counter).signum() < 0)
                        .map(counter -> counterShort(set.name(), counter, Quantity.ZERO)))
                .findFirst();
    }

    private Obstacle counterShort(String counterSet, String counter, Quantity needed) {
        Predicate<CounterConsumption> takesIt = entry ->
                entry.counterSet().equals(counterSet) && entry.counters().containsKey(counter);
        List<AllocatedDevice> takers = Stream.concat(pool.devices().stream(), pool.elsewhere().stream())
                .filter(device -> device.device().consumesCounters().stream().anyMatch(takesIt))
                .flatMap(device -> holdings.holdersOf(device.id()).stream())
                .toList();
        return new Obstacle.CounterShort(
                counterSet, counter, needed, counters.free(counterSet, counter), holders(takers));
    }

    /** Without the device, which is the one held, so that all devices of a claim are stopped the same way. */
    private static List<Holder> names(List<Holder> holders) {
        return holders.stream()
                .map(holder -> new Holder(holder.claim(), holder.request(), List.of()))
                .toList();
    }

    /** Others before our own requests, because they are the ones that something can be asked of. */
    private List<Holder> holders(List<AllocatedDevice> devices) {
        var names = new LinkedHashMap<HolderKey, List<String>>();
        for (AllocatedDevice device : devices) {
            RequestRef request = requestOf.get(device.id());
            var key = new HolderKey(device.holder(), request == null ? "" : request.request());
            names.computeIfAbsent(key, ignored -> new ArrayList<>())
                    .add(device.id().device());
        }
        Map<Boolean, List<Holder>> byKind = names.entrySet().stream()
                .map(entry -> new Holder(entry.getKey().claim(), entry.getKey().request(), entry.getValue()))
                .collect(Collectors.partitioningBy(Holder::isOther));
        return Stream.concat(
                        byKind.getOrDefault(true, List.of()).stream(), byKind.getOrDefault(false, List.of()).stream())
                .toList();
    }

    private record HolderKey(ClaimRef claim, String request) {}
}
