package dev.fakegpu.engine.cel.library;

import dev.cel.common.values.CelByteString;
import dev.fakegpu.engine.cel.value.Equality;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.Lookup;
import dev.fakegpu.engine.cel.value.Ordering;
import dev.fakegpu.engine.cel.value.Steps;
import dev.fakegpu.engine.cel.value.TypeName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * The operators and functions of the language itself. The checker has their declarations; the
 * implementations here check the types of their arguments themselves. Upstream: {@code cel-go/common/stdlib}.
 */
final class StandardLibrary {

    private final Map<String, FunctionLibrary.Body> functions = new HashMap<>();

    StandardLibrary() {
        operators();
        comparisons();
        collections();
        texts();
        conversions();
        TimeFunctions.addTo(functions);
    }

    Map<String, FunctionLibrary.Body> functions() {
        return functions;
    }

    private void operators() {
        functions.put("!_", args -> !bool(args[0], "!_"));
        functions.put("-_", args -> Arithmetic.negate(args[0]));
        functions.put("_+_", args -> Arithmetic.add(args[0], args[1]));
        functions.put("_-_", args -> Arithmetic.subtract(args[0], args[1]));
        functions.put("_*_", args -> Arithmetic.multiply(args[0], args[1]));
        functions.put("_/_", args -> Arithmetic.divide(args[0], args[1]));
        functions.put("_%_", args -> Arithmetic.modulo(args[0], args[1]));
    }

    private static boolean bool(Object value, String function) {
        if (value instanceof Boolean bool) {
            return bool;
        }
        throw Failure.noSuchOverload(function);
    }

    private void comparisons() {
        comparison("_<_", order -> order < 0);
        comparison("_<=_", order -> order <= 0);
        comparison("_>_", order -> order > 0);
        comparison("_>=_", order -> order >= 0);
    }

    private void comparison(String name, IntPredicate test) {
        functions.put(name, args -> test.test(Ordering.compare(args[0], args[1])));
    }

    private void collections() {
        functions.put("@in", args -> contains(args[0], args[1]));
        functions.put("size", args -> size(args[0]));
    }

    private static boolean contains(Object key, Object container) {
        if (container instanceof List<?> list) {
            return Equality.contains(list, key);
        }
        if (container instanceof Map<?, ?> map) {
            return Lookup.contains(map, key);
        }
        throw Failure.noSuchOverload("@in");
    }

    private static long size(Object value) {
        if (value instanceof String text) {
            return text.codePointCount(0, text.length());
        }
        if (value instanceof CelByteString bytes) {
            return bytes.size();
        }
        if (value instanceof List<?> list) {
            return list.size();
        }
        if (value instanceof Map<?, ?> map) {
            return map.size();
        }
        throw Failure.noSuchOverload("size");
    }

    private void texts() {
        functions.put("contains", args -> contains(text(args[0]), text(args[1])));
        functions.put("startsWith", args -> text(args[0]).startsWith(text(args[1])));
        functions.put("endsWith", args -> text(args[0]).endsWith(text(args[1])));
        functions.put(
                "matches", args -> Regexes.matcher(text(args[1]), text(args[0])).find());
    }

    private static boolean contains(String text, String part) {
        Steps.search(text, part);
        return text.contains(part);
    }

    static String text(Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw Failure.noSuchOverload("string function");
    }

    private void conversions() {
        functions.put("int", args -> Conversions.toInt(args[0]));
        functions.put("uint", args -> Conversions.toUnsigned(args[0]));
        functions.put("double", args -> Conversions.toDouble(args[0]));
        functions.put("string", args -> Conversions.toText(args[0]));
        functions.put("bytes", args -> Conversions.toBytes(args[0]));
        functions.put("bool", args -> Conversions.toBool(args[0]));
        functions.put("duration", args -> Conversions.toDuration(args[0]));
        functions.put("timestamp", args -> Conversions.toTimestamp(args[0]));
        functions.put("type", args -> TypeName.of(args[0]));
        functions.put("dyn", args -> args[0]);
    }
}
