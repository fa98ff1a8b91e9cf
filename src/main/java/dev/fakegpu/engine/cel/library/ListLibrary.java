package dev.fakegpu.engine.cel.library;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.fakegpu.engine.cel.value.Equality;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.Ordering;
import dev.fakegpu.engine.cel.value.Steps;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Kubernetes' list functions. Each is declared once for every element type; a call resolves to one of these overloads only if the checker
 * knows the element type. Upstream: {@code apiserver/pkg/cel/library/lists.go}.
 */
final class ListLibrary extends FunctionLibrary {

    /** The element types in upstream's order, which matters if the element type is unknown. */
    static final Map<String, CelType> COMPARABLE = comparableTypes();

    private static Map<String, CelType> comparableTypes() {
        var types = new LinkedHashMap<String, CelType>();
        types.put("int", SimpleType.INT);
        types.put("uint", SimpleType.UINT);
        types.put("double", SimpleType.DOUBLE);
        types.put("bool", SimpleType.BOOL);
        types.put("duration", SimpleType.DURATION);
        types.put("timestamp", SimpleType.TIMESTAMP);
        types.put("string", SimpleType.STRING);
        types.put("bytes", SimpleType.BYTES);
        return Collections.unmodifiableMap(types);
    }

    /** Each element is compared, and its cost is computed. */
    private static final int STEPS_OF_ELEMENT = 2;

    ListLibrary() {
        COMPARABLE.forEach(this::addComparisons);
        addSum("int", SimpleType.INT, 0L);
        addSum("uint", SimpleType.UINT, UnsignedLong.ZERO);
        addSum("double", SimpleType.DOUBLE, 0.0);
        addSum("duration", SimpleType.DURATION, Duration.ZERO);
        var element = TypeParamType.create("A");
        var list = ListType.create(element);
        member("indexOf", "list_a_index_of_int", SimpleType.INT, list, element, ListLibrary::indexOf);
        member("lastIndexOf", "list_a_last_index_of_int", SimpleType.INT, list, element, ListLibrary::lastIndexOf);
        member(
                "includes",
                "list_includes_dyn_dyn",
                SimpleType.BOOL,
                SimpleType.DYN,
                SimpleType.DYN,
                ListLibrary::includes);
    }

    private void addComparisons(String name, CelType type) {
        var list = ListType.create(type);
        member("isSorted", "list_" + name + "_is_sorted_bool", SimpleType.BOOL, list, ListLibrary::isSorted);
        member("min", "list_" + name + "_min_" + name, type, list, (List<?> values) -> extreme(values, "min", -1));
        member("max", "list_" + name + "_max_" + name, type, list, (List<?> values) -> extreme(values, "max", 1));
    }

    private void addSum(String name, CelType type, Object zero) {
        member("sum", "list_" + name + "_sum_" + name, type, ListType.create(type), (List<?> list) -> sum(list, zero));
    }

    private static boolean isSorted(List<?> list) {
        Steps.take(list.size());
        Object previous = null;
        for (Object element : list) {
            requireComparable(element);
            // As in upstream, two elements that cannot be compared count as sorted.
            if (previous != null && preferred(element, previous, -1)) {
                return false;
            }
            previous = element;
        }
        return true;
    }

    private static void requireComparable(Object value) {
        if (!Ordering.isComparable(value)) {
            throw Failure.noSuchOverload("comparison");
        }
    }

    private static Object sum(List<?> list, Object zero) {
        Steps.take(list.size());
        Object sum = zero;
        for (Object element : list) {
            sum = Arithmetic.add(sum, element);
        }
        return sum;
    }

    private static Object extreme(List<?> list, String function, int direction) {
        Steps.take(list.size());
        Object result = null;
        for (Object element : list) {
            requireComparable(element);
            if (result == null || preferred(element, result, direction)) {
                result = element;
            }
        }
        if (result == null) {
            throw new Failure(function + " called on empty list");
        }
        return result;
    }

    private static boolean preferred(Object candidate, Object current, int direction) {
        try {
            return Integer.signum(Ordering.compare(candidate, current)) == direction;
        } catch (Failure e) {
            return false;
        }
    }

    private static long indexOf(List<?> list, Object value) {
        for (int i = 0; i < list.size(); i++) {
            Steps.take(STEPS_OF_ELEMENT);
            if (Equality.isEqual(list.get(i), value)) {
                return i;
            }
        }
        return -1;
    }

    private static long lastIndexOf(List<?> list, Object value) {
        for (int i = list.size() - 1; i >= 0; i--) {
            Steps.take(STEPS_OF_ELEMENT);
            if (Equality.isEqual(list.get(i), value)) {
                return i;
            }
        }
        return -1;
    }

    /** Also accepts a scalar, so that one expression works for devices that publish a single value and for devices that publish a list. */
    private static boolean includes(Object target, Object value) {
        return target instanceof List<?> list ? indexOf(list, value) >= 0 : Equality.isEqual(target, value);
    }
}
