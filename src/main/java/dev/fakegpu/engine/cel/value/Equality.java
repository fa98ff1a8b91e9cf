package dev.fakegpu.engine.cel.value;

import dev.cel.common.values.NullValue;
import dev.fakegpu.dra.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The operator {@code ==}. Numbers of different types are equal if they have the same value. Other values of different types are not equal,
 * and comparing a value of a Kubernetes type with one of another type is an error. Upstream: the method {@code Equal} of each type in
 * {@code cel-go/common/types} and {@code apiserver/pkg/cel}.
 */
public final class Equality {

    private Equality() {}

    public static boolean isEqual(Object left, Object right) {
        return Boolean.TRUE.equals(compare(left, right));
    }

    /** The result as a bool, or a {@link Failure} if the values cannot be compared. */
    public static Object compare(Object left, Object right) {
        if (left instanceof NullValue || right instanceof NullValue) {
            return left instanceof NullValue && right instanceof NullValue;
        }
        if (Numbers.isNumber(left)) {
            return Numbers.isNumber(right) && Numbers.areEqual(left, right);
        }
        if (left instanceof Quantity || left instanceof OpaqueValue) {
            return left.getClass() == right.getClass() ? left.equals(right) : Failure.noSuchOverload("_==_");
        }
        if (left instanceof List<?> list) {
            return right instanceof List<?> other && listsEqual(list, other);
        }
        if (left instanceof Map<?, ?> map) {
            return right instanceof Map<?, ?> other && mapsEqual(map, other);
        }
        if (left instanceof Optional<?> optional) {
            return right instanceof Optional<?> other ? optionals(optional, other) : (Object) false;
        }
        if (left instanceof String text) {
            Steps.text(text.length());
        }
        return left.equals(right);
    }

    private static Object optionals(Optional<?> left, Optional<?> right) {
        if (left.isPresent() && right.isPresent()) {
            return compare(left.get(), right.get());
        }
        return left.isEmpty() && right.isEmpty();
    }

    /** As in upstream, elements that cannot be compared count as equal. */
    private static boolean listsEqual(List<?> left, List<?> right) {
        if (left.size() != right.size()) {
            return false;
        }
        for (int i = 0; i < left.size(); i++) {
            Steps.take(1);
            if (Boolean.FALSE.equals(compare(left.get(i), right.get(i)))) {
                return false;
            }
        }
        return true;
    }

    private static boolean mapsEqual(Map<?, ?> left, Map<?, ?> right) {
        if (left.size() != right.size()) {
            return false;
        }
        for (Map.Entry<?, ?> entry : left.entrySet()) {
            Steps.take(1);
            Object value = Lookup.inMap(right, entry.getKey());
            if (value == null || Boolean.FALSE.equals(compare(entry.getValue(), value))) {
                return false;
            }
        }
        return true;
    }

    /** Whether a list has an element that equals the value. */
    public static boolean contains(List<?> list, Object value) {
        for (Object element : list) {
            Steps.take(1);
            if (isEqual(value, element)) {
                return true;
            }
        }
        return false;
    }
}
