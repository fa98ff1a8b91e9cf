package dev.fakegpu.allocate;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Quantity;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Says what refuses a device: the steps of {@link Search} and {@link PartialAllocation#tryPick} one by one, each asked from where it is
 * decided. Selectors are asked first, also about devices that are held, because a held device is of interest only to a request that
 * wants it; a selector that fails on one does no harm, because the search does not get there.
 */
final class RefusalFinder {

    private final Candidates candidates;
    private final ClaimConstraints constraints;
    private final PartialAllocation attempt;
    private final AllocatorOptions options;
    private final BlockerFinder inTheWay;

    RefusalFinder(
            Candidates candidates,
            ClaimConstraints constraints,
            PartialAllocation attempt,
            AllocatedDevices holdings,
            AllocatorOptions options) {
        this.candidates = candidates;
        this.constraints = constraints;
        this.attempt = attempt;
        this.options = options;
        inTheWay = new BlockerFinder(attempt, holdings);
    }

    /** The first step that refuses the device; null if it can be picked. */
    @Nullable Refusal whyNot(RequestVariant ask, int pool, int device) {
        try {
            return first(
                    () -> notSelected(ask, pool, device),
                    () -> inUse(ask, pool, device),
                    () -> selectorFailed(ask, pool, device),
                    () -> notOffered(ask, pool, device),
                    // All devices of a request are searched for by what they have, not by what is left.
                    () -> ask.isAll() ? null : capacityShort(ask, pool, device),
                    () -> unsupported(pool, device),
                    () -> countersRefuse(pool, device),
                    () -> tainted(ask, pool, device),
                    () -> constraintRefuses(ask, pool, device),
                    () -> capacityShort(ask, pool, device));
        } catch (AllocationException e) {
            return new Refusal.Broken(String.valueOf(e.getMessage()));
        }
    }

    /** One thing that is asked about a device. */
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

    private @Nullable Refusal notSelected(RequestVariant ask, int pool, int device) {
        Pool.Usable usable = candidates.pool(pool);
        if (candidates.isKeptOffByConditions(usable, device)) {
            return new Refusal.BindingConditionsOff();
        }
        if (candidates.selection(ask, pool).verdict(device) instanceof SelectorVerdict.Rejected rejected) {
            return new Refusal.NotSelected(rejected.origin(), rejected.expression());
        }
        return candidates.reaches(usable, device) ? null : new Refusal.NotReached();
    }

    private @Nullable Refusal inUse(RequestVariant ask, int pool, int device) {
        return attempt.isFree(ask, pool, device) ? null : new Refusal.InUse(inTheWay.of(ask, pool, device));
    }

    private @Nullable Refusal selectorFailed(RequestVariant ask, int pool, int device) {
        return candidates.selection(ask, pool).verdict(device) instanceof SelectorVerdict.Failed failed
                ? new Refusal.SelectorFailed(failed.message())
                : null;
    }

    private @Nullable Refusal notOffered(RequestVariant ask, int pool, int device) {
        if (!candidates.countsCapacity() || candidates.amounts(ask, pool, device) != null) {
            return null;
        }
        var portion = (ConsumedCapacity.NotOffered) candidates.portion(ask, pool, device);
        return new Refusal.PortionNotOffered(portion.capacity(), portion.amount());
    }

    private @Nullable Refusal capacityShort(RequestVariant ask, int pool, int device) {
        if (attempt.fits(ask, pool, device)) {
            return null;
        }
        PoolState books = attempt.books(pool);
        ConsumedCapacity.Amounts amounts = Objects.requireNonNull(candidates.amounts(ask, pool, device));
        String capacity = Objects.requireNonNull(books.shortCapacity(device, amounts));
        Quantity all = Objects.requireNonNull(device(pool, device).capacity().get(capacity))
                .value();
        return new Refusal.CapacityShort(
                capacity,
                Objects.requireNonNull(amounts.byName().get(capacity)),
                all.minus(books.taken(device, capacity)),
                inTheWay.sharing(pool, device));
    }

    private @Nullable Refusal unsupported(int pool, int device) {
        PoolDevice picked = candidates.pool(pool).devices().get(device);
        if (!candidates.needsNoMissingOperations(picked)) {
            return new Refusal.MissingNodeOperations(
                    picked.slice().skipNodeOperations(), !options.has(Feature.OPTIONAL_NODE_OPERATIONS));
        }
        return attempt.knowsCountersOf(picked) ? null : new Refusal.CountersNotSupported();
    }

    private @Nullable Refusal countersRefuse(int pool, int device) {
        PoolState books = attempt.books(pool);
        List<CounterConsumption> consumption = device(pool, device).consumesCounters();
        if (!attempt.takesCounters(pool, device)) {
            return null;
        }
        int entry = books.incompatibleEntry(device);
        if (entry >= 0) {
            return incompatible(pool, books, consumption.get(entry));
        }
        int column = books.shortColumn(device);
        return column < 0 ? null : counterShort(pool, books, device, column);
    }

    private Refusal incompatible(int pool, PoolState books, CounterConsumption entry) {
        String set = entry.counterSet();
        GroupState state = books.group(books.pool().counters().set(set));
        return new Refusal.GroupsIncompatible(set, entry.compatibilityGroups(), state, inTheWay.inGroups(pool, set));
    }

    private Refusal counterShort(int pool, PoolState books, int device, int column) {
        Pool.Usable usable = books.pool();
        for (CounterConsumption entry : device(pool, device).consumesCounters()) {
            for (String counter : entry.counters().keySet()) {
                if (usable.counters().column(entry.counterSet(), counter) == column) {
                    return new Refusal.CounterShort(
                            entry.counterSet(),
                            counter,
                            needed(device(pool, device), entry.counterSet(), counter),
                            free(books, entry.counterSet(), counter),
                            inTheWay.ofCounter(pool, entry.counterSet(), counter));
                }
            }
        }
        return overdrawn(pool, books, column);
    }

    private Refusal overdrawn(int pool, PoolState books, int column) {
        return books.pool().counterSets().values().stream()
                .flatMap(set -> set.counters().keySet().stream()
                        .filter(counter -> books.pool().counters().column(set.name(), counter) == column)
                        .map(counter -> new Refusal.PoolOverdrawn(
                                set.name(),
                                counter,
                                Quantity.ZERO.minus(free(books, set.name(), counter)),
                                inTheWay.ofCounter(pool, set.name(), counter))))
                .findFirst()
                .orElseThrow();
    }

    private static Quantity free(PoolState books, String set, String counter) {
        CounterTable table = books.pool().counters();
        int column = table.column(set, counter);
        CounterSet declared = Objects.requireNonNull(books.pool().counterSets().get(set));
        return Objects.requireNonNull(declared.counters().get(counter))
                .withValue(table.amount(column, books.left(column)));
    }

    /** A device may name a counter set twice. */
    private static Quantity needed(Device device, String set, String counter) {
        return device.consumesCounters().stream()
                .filter(entry -> entry.counterSet().equals(set))
                .flatMap(entry -> Stream.ofNullable(entry.counters().get(counter)))
                .reduce(Quantity::plus)
                .orElse(Quantity.ZERO);
    }

    private @Nullable Refusal tainted(RequestVariant ask, int pool, int device) {
        Device asked = device(pool, device);
        return candidates.isTolerated(ask, asked)
                ? null
                : Taints.untolerated(asked, ask.request(), options.tolerations())
                        .map(Refusal.Tainted::new)
                        .orElseThrow();
    }

    private @Nullable Refusal constraintRefuses(RequestVariant ask, int pool, int device) {
        Pool.Usable usable = candidates.pool(pool);
        int refusing = constraints.firstRefusing(ask, usable, device);
        if (refusing < 0) {
            return null;
        }
        AttributeConstraint constraint = constraints.of(ask.claimIndex()).get(refusing);
        AttributeValue value = constraints.value(constraint, ask, usable, device);
        PartialAllocation.Pick against = value == null ? null : against(ask, refusing, constraint, value);
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
                against == null ? null : value(constraint, against));
    }

    private PartialAllocation.@Nullable Pick against(
            RequestVariant ask, int number, AttributeConstraint constraint, AttributeValue value) {
        return attempt.picks().stream()
                .filter(pick -> pick.ask().claimIndex() == ask.claimIndex() && constraint.concerns(pick.ask()))
                .filter(pick -> !constraints.goTogether(ask.claimIndex(), number, value(constraint, pick), value))
                .findFirst()
                .orElse(null);
    }

    private @Nullable AttributeValue value(AttributeConstraint constraint, PartialAllocation.Pick pick) {
        return constraints.value(constraint, pick.ask(), candidates.pool(pick.pool()), pick.device());
    }

    private Device device(int pool, int device) {
        return candidates.pool(pool).devices().get(device).device();
    }
}
