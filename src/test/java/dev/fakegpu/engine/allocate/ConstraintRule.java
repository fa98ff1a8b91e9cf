package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.DeviceConstraint;
import dev.fakegpu.engine.cel.DerivedAttributeResult;
import dev.fakegpu.engine.cel.InterruptCheck;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rule of the API for the devices of a constraint. */
final class ConstraintRule {

    private ConstraintRule() {}

    /** @param listsAreKnown whether attributes can be lists */
    static boolean isKept(DeviceConstraint constraint, List<Hand> hands, boolean listsAreKnown) {
        String match = constraint.matchAttribute();
        String attribute = match == null ? Objects.requireNonNull(constraint.distinctAttribute()) : match;
        List<AttributeValue> values = new ArrayList<>();
        for (Hand hand : hands) {
            if (hand.isNamedIn(constraint.requests())) {
                AttributeValue value = value(hand, attribute);
                if (value == null) {
                    return false;
                }
                values.add(value);
            }
        }
        if (!listsAreKnown) {
            return areKeptAsScalars(match != null, values);
        }
        List<Set<AttributeValue>> sets =
                values.stream().map(ConstraintRule::elements).toList();
        return match != null ? haveCommon(sets) : areDisjoint(sets);
    }

    private static boolean areKeptAsScalars(boolean match, List<AttributeValue> values) {
        return values.size() < 2
                || values.stream().skip(1).noneMatch(AttributeValue.ListValue.class::isInstance)
                        && Set.copyOf(values).size() == (match ? 1 : values.size());
    }

    private static boolean haveCommon(List<Set<AttributeValue>> sets) {
        return sets.isEmpty()
                || sets.get(0).stream().anyMatch(value -> sets.stream().allMatch(set -> set.contains(value)));
    }

    private static boolean areDisjoint(List<Set<AttributeValue>> sets) {
        long different = sets.stream().flatMap(Set::stream).distinct().count();
        return sets.stream().noneMatch(Set::isEmpty)
                && different == sets.stream().mapToLong(Set::size).sum();
    }

    private static Set<AttributeValue> elements(AttributeValue value) {
        return value instanceof AttributeValue.ListValue list ? new HashSet<>(list.values()) : Set.of(value);
    }

    private static @Nullable AttributeValue value(Hand hand, String attribute) {
        String driver = hand.slice().pool().driver();
        String derived = hand.request().derivedAttributes().get(attribute);
        if (derived != null) {
            return Hardware.SELECTORS
                                    .compileDerivedAttribute(derived)
                                    .evaluate(driver, hand.device(), InterruptCheck.NEVER)
                            instanceof DerivedAttributeResult.Value value
                    ? value.value()
                    : null;
        }
        Map<String, AttributeValue> attributes = hand.device().attributes();
        String ownName = attribute.startsWith(driver + "/") ? attribute.substring(driver.length() + 1) : attribute;
        return attributes.containsKey(attribute) ? attributes.get(attribute) : attributes.get(ownName);
    }
}
