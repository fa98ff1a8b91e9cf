package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.DeviceToleration;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.allocate.pool.ConsumedCapacity;
import dev.fakegpu.engine.allocate.pool.CounterTable;
import dev.fakegpu.engine.allocate.pool.GroupState;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.allocate.pool.PoolDevice;
import dev.fakegpu.engine.allocate.pool.PoolState;
import dev.fakegpu.engine.allocate.pool.SelectorVerdict;
import dev.fakegpu.engine.allocate.refusal.NamesThere;
import dev.fakegpu.engine.allocate.refusal.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the reason why a device is refused, by checking the steps of {@link Search} and {@link PartialAllocation#tryPick} one by one.
 * Selectors come first, even for devices in use, because a device in use matters only to a request that selects it. A selector that fails
 * on a device in use is not an error, because the search does not evaluate it.
 */
final class RefusalFinder {

    private final Candidates candidates;
    private final ClaimConstraints constraints;
    private final PartialAllocation partial;
    private final AllocatorOptions options;
    private final BlockerFinder blockers;

    RefusalFinder(SearchProblem problem, AllocatedDevices allocated, AllocatorOptions options) {
        candidates = problem.candidates();
        constraints = problem.constraints();
        partial = problem.partial();
        this.options = options;
        blockers = new BlockerFinder(partial, allocated);
    }

    /** The first step that refuses the device; null if the device can be picked. */
    @Nullable Refusal find(RequestVariant variant, int pool, int device) {
        try {
            return first(
                    () -> notSelected(variant, pool, device),
                    () -> inUse(variant, pool, device),
                    () -> selectorFailed(variant, pool, device),
                    () -> notOffered(variant, pool, device),
                    // For a request for all devices, the search checks what is left only at the end.
                    () -> variant.isAll() ? null : capacityShort(variant, pool, device),
                    () -> unsupported(pool, device),
                    () -> countersRefuse(pool, device),
                    () -> tainted(variant, pool, device),
                    () -> constraintRefuses(variant, pool, device),
                    () -> capacityShort(variant, pool, device));
        } catch (AllocationException e) {
            return new Refusal.Broken(String.valueOf(e.getMessage()));
        }
    }

    /** One check of a device. */
    private interface Step {
        @Nullable Refusal refusal();
    }

    private static @Nullable Refusal first(Step... steps) {
        for (Step step : steps) {
            Refusal refusal = step.refusal();
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    private @Nullable Refusal notSelected(RequestVariant variant, int pool, int device) {
        Pool.Usable usable = candidates.pool(pool);
        if (candidates.isExcludedByBindingConditions(usable, device)) {
            return new Refusal.BindingConditionsOff();
        }
        if (candidates.verdict(variant, pool, device) instanceof SelectorVerdict.Rejected rejected) {
            return new Refusal.NotSelected(rejected.origin(), rejected.expression());
        }
        return candidates.reaches(usable, device)
                ? null
                : new Refusal.NotReached(usable.devices().get(device).nodes());
    }

    private @Nullable Refusal inUse(RequestVariant variant, int pool, int device) {
        return partial.isFree(variant, pool, device) ? null : new Refusal.InUse(blockers.of(variant, pool, device));
    }

    private @Nullable Refusal selectorFailed(RequestVariant variant, int pool, int device) {
        return candidates.verdict(variant, pool, device) instanceof SelectorVerdict.Failed failed
                ? new Refusal.SelectorFailed(failed.origin(), failed.message())
                : null;
    }

    private @Nullable Refusal notOffered(RequestVariant variant, int pool, int device) {
        if (!candidates.countsCapacity() || candidates.amounts(variant, pool, device) != null) {
            return null;
        }
        var consumed = (ConsumedCapacity.NotOffered) candidates.consumedCapacity(variant, pool, device);
        DeviceCapacity offered = device(pool, device).capacity().get(consumed.capacity());
        return new Refusal.PortionNotOffered(
                consumed.capacity(),
                consumed.amount(),
                offered == null ? null : offered.requestPolicy(),
                offered == null
                        ? NamesThere.insteadOf(
                                consumed.capacity(),
                                device(pool, device).capacity().keySet())
                        : null);
    }

    private @Nullable Refusal capacityShort(RequestVariant variant, int pool, int device) {
        if (partial.fits(variant, pool, device)) {
            return null;
        }
        PoolState state = partial.state(pool);
        ConsumedCapacity.Amounts amounts = Objects.requireNonNull(candidates.amounts(variant, pool, device));
        String capacity = Objects.requireNonNull(state.shortCapacity(device, amounts));
        Quantity all = Objects.requireNonNull(device(pool, device).capacity().get(capacity))
                .value();
        return new Refusal.CapacityShort(
                capacity,
                Objects.requireNonNull(amounts.byName().get(capacity)),
                requested(variant, capacity),
                all.minus(state.taken(device, capacity)),
                all,
                blockers.sharing(pool, device));
    }

    private static @Nullable Quantity requested(RequestVariant variant, String capacity) {
        Map<String, Quantity> requested = variant.request().capacity();
        return requested == null ? null : requested.get(capacity);
    }

    private @Nullable Refusal unsupported(int pool, int device) {
        PoolDevice picked = candidates.pool(pool).devices().get(device);
        if (!candidates.supportsNodeOperationsOf(picked)) {
            return new Refusal.MissingNodeOperations(
                    picked.slice().skipNodeOperations(), !options.has(Feature.OPTIONAL_NODE_OPERATIONS));
        }
        return partial.supportsCountersOf(picked) ? null : new Refusal.CountersNotSupported();
    }

    private @Nullable Refusal countersRefuse(int pool, int device) {
        PoolState state = partial.state(pool);
        List<CounterConsumption> consumption = device(pool, device).consumesCounters();
        if (!partial.takesCounters(pool, device)) {
            return null;
        }
        int entry = state.incompatibleEntry(device);
        if (entry >= 0) {
            return incompatible(pool, state, consumption.get(entry));
        }
        int column = state.shortColumn(device);
        return column < 0 ? null : counterShort(pool, state, device, column);
    }

    private Refusal incompatible(int pool, PoolState state, CounterConsumption entry) {
        String set = entry.counterSet();
        GroupState groups = state.group(state.pool().caches().counters().set(set));
        return new Refusal.GroupsIncompatible(set, entry.compatibilityGroups(), groups, blockers.inGroups(pool, set));
    }

    private Refusal counterShort(int pool, PoolState state, int device, int column) {
        Pool.Usable usable = state.pool();
        for (CounterConsumption entry : device(pool, device).consumesCounters()) {
            for (String counter : entry.counters().keySet()) {
                if (usable.caches().counters().column(entry.counterSet(), counter) == column) {
                    return new Refusal.CounterShort(
                            entry.counterSet(),
                            counter,
                            needed(device(pool, device), entry.counterSet(), counter),
                            free(state, entry.counterSet(), counter),
                            blockers.ofCounter(pool, entry.counterSet(), counter));
                }
            }
        }
        return overdrawn(pool, state, column);
    }

    private Refusal overdrawn(int pool, PoolState state, int column) {
        return state.pool().counterSets().values().stream()
                .flatMap(set -> set.counters().keySet().stream()
                        .filter(counter -> state.pool().caches().counters().column(set.name(), counter) == column)
                        .map(counter -> new Refusal.PoolOverdrawn(
                                set.name(),
                                counter,
                                Quantity.ZERO.minus(free(state, set.name(), counter)),
                                blockers.ofCounter(pool, set.name(), counter))))
                .findFirst()
                .orElseThrow();
    }

    private static Quantity free(PoolState state, String set, String counter) {
        CounterTable table = state.pool().caches().counters();
        int column = table.column(set, counter);
        CounterSet declared = Objects.requireNonNull(state.pool().counterSets().get(set));
        return Objects.requireNonNull(declared.counters().get(counter))
                .withValue(table.amount(column, state.left(column)));
    }

    /** A device can name a counter set twice. */
    private static Quantity needed(Device device, String set, String counter) {
        return device.consumesCounters().stream()
                .filter(entry -> entry.counterSet().equals(set))
                .flatMap(entry -> Stream.ofNullable(entry.counters().get(counter)))
                .reduce(Quantity::plus)
                .orElse(Quantity.ZERO);
    }

    private @Nullable Refusal tainted(RequestVariant variant, int pool, int device) {
        Device published = device(pool, device);
        return candidates.isTolerated(variant, published)
                ? null
                : Taints.untolerated(published, variant.request(), options.tolerations())
                        .map(taint -> new Refusal.Tainted(taint, almostTolerating(variant, taint)))
                        .orElseThrow();
    }

    private static @Nullable DeviceToleration almostTolerating(RequestVariant variant, DeviceTaint taint) {
        return variant.request().tolerations().stream()
                .filter(toleration -> toleration.almostTolerates(taint))
                .findFirst()
                .orElse(null);
    }

    private @Nullable Refusal constraintRefuses(RequestVariant variant, int pool, int device) {
        Pool.Usable usable = candidates.pool(pool);
        int refusing = constraints.firstRefusing(variant, usable, device);
        if (refusing < 0) {
            return null;
        }
        AttributeConstraint<?> constraint = constraints.of(variant.claimIndex()).get(refusing);
        AttributeValue value = constraints.value(constraint, variant, usable, device);
        PartialAllocation.Pick against = value == null ? null : against(variant, refusing, constraint, value);
        return new Refusal.ConstraintViolated(
                constraint.attribute(),
                constraint.isMatch(),
                value,
                against == null
                        ? null
                        : candidates
                                .pool(against.pool())
                                .devices()
                                .get(against.device())
                                .id(),
                against == null ? null : value(constraint, against),
                value == null
                        ? NamesThere.insteadOf(
                                constraint.attribute(),
                                device(pool, device).attributes().keySet())
                        : null);
    }

    private PartialAllocation.@Nullable Pick against(
            RequestVariant variant, int number, AttributeConstraint<?> constraint, AttributeValue value) {
        return partial.picks().stream()
                .filter(pick ->
                        pick.variant().claimIndex() == variant.claimIndex() && constraint.appliesTo(pick.variant()))
                .filter(pick -> !constraints.goTogether(variant.claimIndex(), number, value(constraint, pick), value))
                .findFirst()
                .orElse(null);
    }

    private @Nullable AttributeValue value(AttributeConstraint<?> constraint, PartialAllocation.Pick pick) {
        return constraints.value(constraint, pick.variant(), candidates.pool(pick.pool()), pick.device());
    }

    private Device device(int pool, int device) {
        return candidates.pool(pool).devices().get(device).device();
    }
}
