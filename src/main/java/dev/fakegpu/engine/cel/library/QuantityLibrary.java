package dev.fakegpu.engine.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.QuantityType;
import dev.fakegpu.engine.cel.value.Steps;

/** {@code quantity("10Gi")} and its functions. Upstream: {@code apiserver/pkg/cel/library/quantity.go}. */
final class QuantityLibrary extends FunctionLibrary {

    private static final CelType TYPE = QuantityType.TYPE;

    /** The number of digits of the largest 64-bit integer. */
    private static final int LONGEST_INT = 19;

    private static final int MANY_DIGITS = 100;

    QuantityLibrary() {
        global("quantity", "string_to_quantity", TYPE, SimpleType.STRING, QuantityLibrary::parse);
        global("isQuantity", "is_quantity_string", SimpleType.BOOL, SimpleType.STRING, QuantityLibrary::isQuantity);
        comparisons();
        arithmetic();
        conversions();
    }

    private void comparisons() {
        member(
                "isGreaterThan",
                "quantity_is_greater_than",
                SimpleType.BOOL,
                TYPE,
                TYPE,
                (Quantity a, Quantity b) -> a.compareTo(b) > 0);
        member(
                "isLessThan",
                "quantity_is_less_than",
                SimpleType.BOOL,
                TYPE,
                TYPE,
                (Quantity a, Quantity b) -> a.compareTo(b) < 0);
        member("compareTo", "quantity_compare_to", SimpleType.INT, TYPE, TYPE, (Quantity a, Quantity b) ->
                (long) a.compareTo(b));
        // Upstream declares this as a function: sign(q), not q.sign().
        global("sign", "quantity_sign", SimpleType.INT, TYPE, (Quantity value) -> (long) value.signum());
    }

    private void arithmetic() {
        member("add", "quantity_add", TYPE, TYPE, TYPE, (Quantity a, Quantity b) -> counted(a, b, a.plus(b)));
        member(
                "add",
                "quantity_add_int",
                TYPE,
                TYPE,
                SimpleType.INT,
                (Quantity a, Long b) -> counted(a, a, a.plus(Quantity.of(b))));
        member("sub", "quantity_sub", TYPE, TYPE, TYPE, (Quantity a, Quantity b) -> counted(a, b, a.minus(b)));
        member(
                "sub",
                "quantity_sub_int",
                TYPE,
                TYPE,
                SimpleType.INT,
                (Quantity a, Long b) -> counted(a, a, a.minus(Quantity.of(b))));
    }

    /** Counts steps, since upstream's cost of a sum does not depend on the number of digits. */
    private static Quantity counted(Quantity a, Quantity b, Quantity sum) {
        int digits = Math.max(sum.significantDigits(), Math.max(a.significantDigits(), b.significantDigits()));
        if (digits > MANY_DIGITS) {
            Steps.take(digits);
        }
        return sum;
    }

    private void conversions() {
        member("isInteger", "quantity_is_integer", SimpleType.BOOL, TYPE, QuantityLibrary::isInteger);
        member("asInteger", "quantity_get_int", SimpleType.INT, TYPE, QuantityLibrary::asInteger);
        member(
                "asApproximateFloat",
                "quantity_get_float",
                SimpleType.DOUBLE,
                TYPE,
                (Quantity value) -> value.value().doubleValue());
    }

    private static Quantity parse(String text) {
        try {
            return Quantity.parse(text);
        } catch (IllegalArgumentException e) {
            throw new Failure(String.valueOf(e.getMessage()));
        }
    }

    private static boolean isQuantity(String text) {
        try {
            Quantity.parse(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isInteger(Quantity quantity) {
        var value = quantity.value();
        return value.scale() <= 0
                && value.precision() - value.scale() <= LONGEST_INT
                && value.toBigIntegerExact().bitLength() < Long.SIZE;
    }

    private static long asInteger(Quantity quantity) {
        if (!isInteger(quantity)) {
            throw new Failure("cannot convert value to integer");
        }
        return quantity.value().longValueExact();
    }
}
