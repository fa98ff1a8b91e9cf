package dev.fakegpu.engine.cel.library;

import dev.cel.checker.CelStandardDeclarations;
import dev.cel.checker.CelStandardDeclarations.StandardFunction;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Declares the arithmetic operators in upstream's order, and an overload that cel-java's checker lacks. The order matters if a type is
 * undetermined, such as the element type of an empty list: the checker takes the first overload that fits. {@link StandardLibrary}
 * implements the operators, and dispatches on the values and not on the overload. Upstream: {@code cel-go/common/stdlib/standard.go}.
 */
public final class StandardOverloads extends FunctionLibrary {

    private static final Set<StandardFunction> ARITHMETIC = EnumSet.of(
            StandardFunction.ADD,
            StandardFunction.SUBTRACT,
            StandardFunction.MULTIPLY,
            StandardFunction.DIVIDE,
            StandardFunction.MODULO,
            StandardFunction.NEGATE);

    private static final CelType DURATION = SimpleType.DURATION;
    private static final CelType TIMESTAMP = SimpleType.TIMESTAMP;

    StandardOverloads() {
        addition();
        subtraction();
        multiplication();
        declareGlobal("-_", "negate_double", SimpleType.DOUBLE, types(SimpleType.DOUBLE));
        declareGlobal("-_", "negate_int64", SimpleType.INT, types(SimpleType.INT));
        declareGlobal("int", "duration_to_int64", SimpleType.INT, types(DURATION));
    }

    /** The other functions of the language itself. */
    public static CelStandardDeclarations others(Predicate<String> isCalled) {
        return CelStandardDeclarations.newBuilder()
                .filterFunctions((function, overload) ->
                        !ARITHMETIC.contains(function) && isCalled.test(function.functionName()))
                .build();
    }

    private void addition() {
        same("_+_", "add_bytes", SimpleType.BYTES);
        same("_+_", "add_double", SimpleType.DOUBLE);
        same("_+_", "add_duration_duration", DURATION);
        operator("_+_", "add_duration_timestamp", TIMESTAMP, DURATION, TIMESTAMP);
        operator("_+_", "add_timestamp_duration", TIMESTAMP, TIMESTAMP, DURATION);
        same("_+_", "add_int64", SimpleType.INT);
        same("_+_", "add_list", ListType.create(TypeParamType.create("A")));
        same("_+_", "add_string", SimpleType.STRING);
        same("_+_", "add_uint64", SimpleType.UINT);
    }

    private void subtraction() {
        same("_-_", "subtract_double", SimpleType.DOUBLE);
        same("_-_", "subtract_duration_duration", DURATION);
        same("_-_", "subtract_int64", SimpleType.INT);
        operator("_-_", "subtract_timestamp_duration", TIMESTAMP, TIMESTAMP, DURATION);
        operator("_-_", "subtract_timestamp_timestamp", DURATION, TIMESTAMP, TIMESTAMP);
        same("_-_", "subtract_uint64", SimpleType.UINT);
    }

    private void multiplication() {
        same("_*_", "multiply_double", SimpleType.DOUBLE);
        same("_*_", "multiply_int64", SimpleType.INT);
        same("_*_", "multiply_uint64", SimpleType.UINT);
        same("_/_", "divide_double", SimpleType.DOUBLE);
        same("_/_", "divide_int64", SimpleType.INT);
        same("_/_", "divide_uint64", SimpleType.UINT);
        same("_%_", "modulo_int64", SimpleType.INT);
        same("_%_", "modulo_uint64", SimpleType.UINT);
    }

    private void same(String name, String id, CelType type) {
        operator(name, id, type, type, type);
    }

    private void operator(String name, String id, CelType result, CelType left, CelType right) {
        declareGlobal(name, id, result, types(left, right));
    }
}
