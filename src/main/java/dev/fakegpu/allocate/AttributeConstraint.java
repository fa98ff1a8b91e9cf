package dev.fakegpu.allocate;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.DeviceConstraint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A constraint of a claim, with the values of the devices picked so far. Once it refuses a device, more picks do not change that.
 * Upstream: {@code matchAttributeConstraint} and {@code distinctAttributeConstraint}.
 */
abstract sealed class AttributeConstraint {

    private final DeviceConstraint constraint;
    private final String attribute;

    private AttributeConstraint(DeviceConstraint constraint, String attribute) {
        this.constraint = constraint;
        this.attribute = attribute;
    }

    /** @param lists whether values are compared as sets ({@link Feature#LIST_TYPE_ATTRIBUTES}) */
    static AttributeConstraint of(DeviceConstraint constraint, boolean lists) {
        String match = constraint.matchAttribute();
        if (match != null) {
            return lists ? new MatchSets(constraint, match) : new MatchValues(constraint, match);
        }
        String distinct = Objects.requireNonNull(constraint.distinctAttribute());
        return lists ? new DistinctSets(constraint, distinct) : new DistinctValues(constraint, distinct);
    }

    /** The fully qualified attribute. */
    final String attribute() {
        return attribute;
    }

    final boolean isMatch() {
        return constraint.matchAttribute() != null;
    }

    final boolean concerns(RequestVariant ask) {
        return ask.isNamedIn(constraint.requests());
    }

    /** Adds the value of another device, if that is possible. A device without the attribute is refused. */
    final boolean tryAdd(@Nullable AttributeValue value) {
        return value != null && admit(value);
    }

    abstract boolean admit(AttributeValue value);

    /** Takes back what was added last. */
    abstract void removeLast();

    /** The values on which all devices so far agree; null while there are none. Only for matchAttribute. */
    @Nullable Set<AttributeValue> agreedValues() {
        return null;
    }

    /**
     * What of a device's value can be equal to something of another device's.
     *
     * @param device stands for the device where its value is equal to no other one
     */
    abstract Set<?> comparable(AttributeValue value, int device);

    /** How many devices were added. */
    abstract int size();

    private static boolean isSingle(AttributeValue value) {
        return !(value instanceof AttributeValue.ListValue) && !(value instanceof AttributeValue.Unknown);
    }

    /** The elements of a list, or the value itself; empty for what is not understood. */
    static Set<AttributeValue> elements(AttributeValue value) {
        if (value instanceof AttributeValue.ListValue list) {
            return Set.copyOf(list.values());
        }
        return value instanceof AttributeValue.Unknown ? Set.of() : Set.of(value);
    }

    private static boolean areDisjoint(Set<AttributeValue> left, Set<AttributeValue> right) {
        return left.stream().noneMatch(right::contains);
    }

    /** All have the same value. The first device is admitted whatever its value, others only with a single one. */
    private static final class MatchValues extends AttributeConstraint {
        private @Nullable AttributeValue first;
        private int added;

        MatchValues(DeviceConstraint constraint, String attribute) {
            super(constraint, attribute);
        }

        @Override
        boolean admit(AttributeValue value) {
            if (added == 0) {
                first = value;
            } else if (!isSingle(value) || !value.equals(first)) {
                return false;
            }
            added++;
            return true;
        }

        @Override
        void removeLast() {
            added--;
        }

        @Override
        @Nullable Set<AttributeValue> agreedValues() {
            AttributeValue value = first;
            if (added == 0 || value == null) {
                return null;
            }
            return isSingle(value) ? Set.of(value) : Set.of();
        }

        @Override
        Set<?> comparable(AttributeValue value, int device) {
            return isSingle(value) ? Set.of(value) : Set.of(device);
        }

        @Override
        int size() {
            return added;
        }
    }

    /** All have an element in common, which is more than any two having one. */
    private static final class MatchSets extends AttributeConstraint {
        private final List<Set<AttributeValue>> common = new ArrayList<>();

        MatchSets(DeviceConstraint constraint, String attribute) {
            super(constraint, attribute);
        }

        @Override
        boolean admit(AttributeValue value) {
            Set<AttributeValue> remaining = elements(value);
            if (!common.isEmpty() && !remaining.equals(common.get(common.size() - 1))) {
                remaining = new HashSet<>(remaining);
                remaining.retainAll(common.get(common.size() - 1));
            }
            if (remaining.isEmpty()) {
                return false;
            }
            common.add(remaining);
            return true;
        }

        @Override
        void removeLast() {
            common.remove(common.size() - 1);
        }

        @Override
        @Nullable Set<AttributeValue> agreedValues() {
            return common.isEmpty() ? null : common.get(common.size() - 1);
        }

        @Override
        Set<?> comparable(AttributeValue value, int device) {
            return elements(value);
        }

        @Override
        int size() {
            return common.size();
        }
    }

    /** No two have the same value. */
    private static final class DistinctValues extends AttributeConstraint {
        private final List<AttributeValue> added = new ArrayList<>();

        DistinctValues(DeviceConstraint constraint, String attribute) {
            super(constraint, attribute);
        }

        @Override
        boolean admit(AttributeValue value) {
            if (!added.isEmpty() && (!isSingle(value) || added.contains(value))) {
                return false;
            }
            added.add(value);
            return true;
        }

        @Override
        void removeLast() {
            added.remove(added.size() - 1);
        }

        @Override
        Set<?> comparable(AttributeValue value, int device) {
            return isSingle(value) ? Set.of(value) : Set.of(device);
        }

        @Override
        int size() {
            return added.size();
        }
    }

    /** No two have an element in common. */
    private static final class DistinctSets extends AttributeConstraint {
        private final List<Set<AttributeValue>> added = new ArrayList<>();

        DistinctSets(DeviceConstraint constraint, String attribute) {
            super(constraint, attribute);
        }

        @Override
        boolean admit(AttributeValue value) {
            Set<AttributeValue> elements = elements(value);
            if (elements.isEmpty() || added.stream().anyMatch(other -> !areDisjoint(elements, other))) {
                return false;
            }
            added.add(elements);
            return true;
        }

        @Override
        void removeLast() {
            added.remove(added.size() - 1);
        }

        @Override
        Set<?> comparable(AttributeValue value, int device) {
            return elements(value);
        }

        @Override
        int size() {
            return added.size();
        }
    }
}
