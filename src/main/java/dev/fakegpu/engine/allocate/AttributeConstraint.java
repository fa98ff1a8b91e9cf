package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.DeviceConstraint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A constraint of a claim, with the values of the devices picked so far. A device that it refuses is still refused after further picks.
 * Upstream: {@code matchAttributeConstraint} and {@code distinctAttributeConstraint}.
 *
 * @param <T> the data that is kept for each device
 */
abstract sealed class AttributeConstraint<T> {

    private final DeviceConstraint constraint;
    private final String attribute;
    private final AttributeComparison comparison;
    private final List<T> added = new ArrayList<>();

    private AttributeConstraint(DeviceConstraint constraint, String attribute, AttributeComparison comparison) {
        this.constraint = constraint;
        this.attribute = attribute;
        this.comparison = comparison;
    }

    static AttributeConstraint<?> of(DeviceConstraint constraint, AttributeComparison comparison) {
        boolean sets = comparison == AttributeComparison.SETS;
        String match = constraint.matchAttribute();
        if (match != null) {
            return sets ? new MatchSets(constraint, match) : new MatchValues(constraint, match);
        }
        String distinct = Objects.requireNonNull(constraint.distinctAttribute());
        return sets ? new DistinctSets(constraint, distinct) : new DistinctValues(constraint, distinct);
    }

    /** The fully qualified name of the attribute. */
    final String attribute() {
        return attribute;
    }

    final boolean isMatch() {
        return constraint.matchAttribute() != null;
    }

    final boolean appliesTo(RequestVariant variant) {
        return variant.isNamedIn(constraint.requests());
    }

    /** Adds the value of another device if possible. Refuses a device without the attribute. */
    final boolean tryAdd(@Nullable AttributeValue value) {
        @Nullable T addition = value == null ? null : admit(value, added);
        return addition != null && added.add(addition);
    }

    /**
     * Checks the value of another device.
     *
     * @param before the data that is kept for the devices so far
     * @return the data to keep for this device; null if it is refused
     */
    abstract @Nullable T admit(AttributeValue value, List<T> before);

    /** Removes the value that was added last. */
    final void removeLast() {
        added.remove(added.size() - 1);
    }

    /** The number of devices that were added. */
    final int size() {
        return added.size();
    }

    /** The values on which all devices so far agree; null if there are no devices. Only for matchAttribute. */
    final @Nullable Set<AttributeValue> agreedValues() {
        return added.isEmpty() ? null : agreedValues(added);
    }

    /** @param all not empty */
    @Nullable Set<AttributeValue> agreedValues(List<T> all) {
        return null;
    }

    /** See {@link AttributeComparison#comparable}. */
    final Set<?> comparable(AttributeValue value, int device) {
        return comparison.comparable(value, device);
    }

    /** All devices have the same value. The first device can have any value; the value of the others must not be a list. */
    private static final class MatchValues extends AttributeConstraint<AttributeValue> {

        MatchValues(DeviceConstraint constraint, String attribute) {
            super(constraint, attribute, AttributeComparison.VALUES);
        }

        @Override
        @Nullable AttributeValue admit(AttributeValue value, List<AttributeValue> before) {
            return before.isEmpty() || AttributeComparison.isSingle(value) && value.equals(before.get(0))
                    ? value
                    : null;
        }

        @Override
        Set<AttributeValue> agreedValues(List<AttributeValue> all) {
            return AttributeComparison.isSingle(all.get(0)) ? Set.of(all.get(0)) : Set.of();
        }
    }

    /**
     * All devices have an element in common, which is a stronger condition than one for each pair. Keeps the elements that are common so
     * far.
     */
    private static final class MatchSets extends AttributeConstraint<Set<AttributeValue>> {

        MatchSets(DeviceConstraint constraint, String attribute) {
            super(constraint, attribute, AttributeComparison.SETS);
        }

        @Override
        @Nullable Set<AttributeValue> admit(AttributeValue value, List<Set<AttributeValue>> before) {
            Set<AttributeValue> remaining = AttributeComparison.elements(value);
            if (!before.isEmpty() && !remaining.equals(agreedValues(before))) {
                remaining = new HashSet<>(remaining);
                remaining.retainAll(agreedValues(before));
            }
            return remaining.isEmpty() ? null : remaining;
        }

        @Override
        Set<AttributeValue> agreedValues(List<Set<AttributeValue>> all) {
            return all.get(all.size() - 1);
        }
    }

    /** No two devices have the same value. */
    private static final class DistinctValues extends AttributeConstraint<AttributeValue> {

        DistinctValues(DeviceConstraint constraint, String attribute) {
            super(constraint, attribute, AttributeComparison.VALUES);
        }

        @Override
        @Nullable AttributeValue admit(AttributeValue value, List<AttributeValue> before) {
            return before.isEmpty() || AttributeComparison.isSingle(value) && !before.contains(value) ? value : null;
        }
    }

    /** No two devices have an element in common. */
    private static final class DistinctSets extends AttributeConstraint<Set<AttributeValue>> {

        DistinctSets(DeviceConstraint constraint, String attribute) {
            super(constraint, attribute, AttributeComparison.SETS);
        }

        @Override
        @Nullable Set<AttributeValue> admit(AttributeValue value, List<Set<AttributeValue>> before) {
            Set<AttributeValue> elements = AttributeComparison.elements(value);
            boolean distinct = before.stream().allMatch(other -> Collections.disjoint(elements, other));
            return distinct && !elements.isEmpty() ? elements : null;
        }
    }
}
