package dev.fakegpu.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import dev.fakegpu.dra.Quantity;

/** {@code quantity("10Gi")} and what can be done with it. Upstream: {@code apiserver/pkg/cel/library/quantity.go}. */
final class QuantityLibrary extends CelFunctions {

    static final CelType TYPE = OpaqueType.create("kubernetes.Quantity");

    QuantityLibrary() {
        global("quantity", "string_to_quantity", TYPE, SimpleType.STRING, String.class, QuantityLibrary::parse);
        global(
                "isQuantity",
                "is_quantity_string",
                SimpleType.BOOL,
                SimpleType.STRING,
                String.class,
                QuantityLibrary::isQuantity);
        comparisons();
        arithmetic();
        conversions();
    }

    private void comparisons() {
        var two = types(TYPE, TYPE);
        Class<Quantity> quantity = Quantity.class;
        member(
                "isGreaterThan",
                "quantity_is_greater_than",
                SimpleType.BOOL,
                two,
                quantity,
                quantity,
                (a, b) -> a.compareTo(b) > 0);
        member(
                "isLessThan",
                "quantity_is_less_than",
                SimpleType.BOOL,
                two,
                quantity,
                quantity,
                (a, b) -> a.compareTo(b) < 0);
        member("compareTo", "quantity_compare_to", SimpleType.INT, two, quantity, quantity, (a, b) ->
                (long) a.compareTo(b));
        member("sign", "quantity_sign", SimpleType.INT, TYPE, quantity, value -> (long) value.signum());
    }

    private void arithmetic() {
        var two = types(TYPE, TYPE);
        var withInt = types(TYPE, SimpleType.INT);
        Class<Quantity> quantity = Quantity.class;
        member("add", "quantity_add", TYPE, two, quantity, quantity, Quantity::plus);
        member("add", "quantity_add_int", TYPE, withInt, quantity, Long.class, (a, b) -> a.plus(Quantity.of(b)));
        member("sub", "quantity_sub", TYPE, two, quantity, quantity, Quantity::minus);
        member("sub", "quantity_sub_int", TYPE, withInt, quantity, Long.class, (a, b) -> a.minus(Quantity.of(b)));
    }

    private void conversions() {
        Class<Quantity> quantity = Quantity.class;
        member("isInteger", "quantity_is_integer", SimpleType.BOOL, TYPE, quantity, QuantityLibrary::isInteger);
        member("asInteger", "quantity_as_integer", SimpleType.INT, TYPE, quantity, QuantityLibrary::asInteger);
        member(
                "asApproximateFloat",
                "quantity_as_float",
                SimpleType.DOUBLE,
                TYPE,
                quantity,
                value -> value.value().doubleValue());
    }

    private static Quantity parse(String text) throws CelEvaluationException {
        try {
            return Quantity.parse(text);
        } catch (IllegalArgumentException e) {
            throw new CelEvaluationException(String.valueOf(e.getMessage()), e);
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
        try {
            quantity.value().longValueExact();
            return true;
        } catch (ArithmeticException e) {
            return false;
        }
    }

    private static long asInteger(Quantity quantity) throws CelEvaluationException {
        try {
            return quantity.value().longValueExact();
        } catch (ArithmeticException e) {
            throw new CelEvaluationException(quantity + " is no 64-bit integer", e);
        }
    }
}
