package dev.fakegpu.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.NullValue;
import dev.fakegpu.dra.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Equality of values. Numbers of different types are equal when they stand for the same number; other values of different types
 * differ, except that Kubernetes' own types refuse to be compared with anything else. Upstream: {@code Equal} of each of
 * {@code cel-go/common/types} and {@code apiserver/pkg/cel}.
 */
final class Equality {

    private Equality() {}

    static boolean isEqual(Object left, Object right) {
        return Boolean.TRUE.equals(compare(left, right));
    }

    /** A bool, or a {@link Failure} where the values cannot be compared. */
    static Object compare(Object left, Object right) {
        if (left instanceof NullValue || right instanceof NullValue) {
            return left instanceof NullValue && right instanceof NullValue;
        }
        if (Ordering.isNumber(left)) {
            return Ordering.isNumber(right) && Ordering.numbersEqual(left, right);
        }
        if (left instanceof Quantity || left instanceof FunctionLibrary.Typed) {
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
        return left.equals(right);
    }

    private static Object optionals(Optional<?> left, Optional<?> right) {
        if (left.isPresent() && right.isPresent()) {
            return compare(left.get(), right.get());
        }
        return left.isEmpty() && right.isEmpty();
    }

    /** Elements that cannot be compared do not make a difference, which is how upstream has it. */
    private static boolean listsEqual(List<?> left, List<?> right) {
        if (left.size() != right.size()) {
            return false;
        }
        for (int i = 0; i < left.size(); i++) {
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
            Object value = Lookup.inMap(right, entry.getKey());
            if (value == null || Boolean.FALSE.equals(compare(entry.getValue(), value))) {
                return false;
            }
        }
        return true;
    }

    /** Whether a list has an element that is equal to a value. */
    static boolean contains(List<?> list, Object value) {
        for (Object element : list) {
            if (isEqual(value, element)) {
                return true;
            }
        }
        return false;
    }

    /** A number in each of the types that can hold it, just the value, or nothing where it equals nothing. */
    static List<Object> spellings(Object value) {
        BigDecimal number = Ordering.isNumber(value) ? Ordering.exact(value) : null;
        if (number == null) {
            return value.equals(Double.NaN) ? List.of() : List.of(value);
        }
        var result = new ArrayList<Object>(3);
        result.add(value);
        result.add(number.doubleValue());
        if (number.stripTrailingZeros().scale() <= 0) {
            var whole = number.toBigInteger();
            if (whole.bitLength() < Long.SIZE) {
                result.add(whole.longValue());
            }
            if (whole.signum() >= 0 && whole.bitLength() <= Long.SIZE) {
                result.add(UnsignedLong.valueOf(whole));
            }
        }
        return result;
    }

    /** A number as an index of a list; null for anything but a whole number. */
    static @Nullable Long asLong(Object value) {
        if (value instanceof Long number) {
            return number;
        }
        BigDecimal number = Ordering.isNumber(value) ? Ordering.exact(value) : null;
        if (number == null || number.stripTrailingZeros().scale() > 0) {
            return null;
        }
        return number.toBigInteger().bitLength() < Long.SIZE ? (Long) number.longValue() : null;
    }
}
