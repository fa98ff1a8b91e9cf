package dev.fakegpu.engine.cel.eval;

import dev.cel.common.values.CelByteString;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.NamedFormat;
import dev.fakegpu.engine.cel.value.OpaqueValue;
import dev.fakegpu.engine.cel.value.Steps;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The costs of function calls, looked up in three places as in upstream: the trackers of the set and list extensions by overload ({@code
 * cel-go/ext}), Kubernetes' estimator by function ({@code apiserver/pkg/cel/library/cost.go}) and the defaults by overload ({@code
 * cel-go/interpreter/runtimecost.go}).
 */
final class CallCosts {

    /** The cost of reading one character of a string, or of comparing one element of a list. */
    private static final double TRAVERSAL = 0.1;

    private static final double REGEX_LENGTH = 0.25;
    private static final long LIST_CREATION = 10;

    private CallCosts() {}

    /** @param overload the overload id, or an empty string if the call can resolve to more than one */
    static CallCost of(String function, String overload) {
        CallCost cost = ofExtension(overload);
        if (cost == null) {
            cost = ofKubernetes(function, overload);
        }
        return cost == null ? byDefault(overload) : cost;
    }

    private static @Nullable CallCost ofExtension(String overload) {
        return switch (overload) {
            case "list_sets_contains_list", "list_sets_intersects_list" ->
                (args, result) -> 1 + size(args[0]) * size(args[1]);
            case "list_sets_equivalent_list" -> (args, result) -> 1 + 2 * size(args[0]) * size(args[1]);
            case "list_slice", "lists_range", "list_reverse" -> (args, result) -> allocation(1, size(result));
            case "list_flatten" -> (args, result) -> allocation(1, size(args[0]));
            case "list_flatten_int" -> (args, result) -> allocation((Long) abortIfFailed(args[1]), size(args[0]));
            case "list_distinct" -> (args, result) -> selfComparison(args[0]);
            default -> ofSorting(overload);
        };
    }

    private static @Nullable CallCost ofSorting(String overload) {
        if (overload.endsWith("_sort")) {
            return (args, result) -> selfComparison(args[0]);
        }
        return overload.endsWith("_sortByAssociatedKeys") ? (args, result) -> selfComparison(args[1]) : null;
    }

    private static long allocation(double factor, long size) {
        return (long) (size * (factor < 0 ? 1 : factor)) + 1 + LIST_CREATION;
    }

    private static long selfComparison(Object value) {
        var list = (List<?>) abortIfFailed(value);
        if (list.isEmpty()) {
            return allocation(2, 0);
        }
        boolean text = list.get(0) instanceof String || list.get(0) instanceof CelByteString;
        return allocation(text ? 2 + TRAVERSAL : 2, (long) list.size() * list.size());
    }

    /** Fails if an argument has failed: upstream's trackers depend on the types of their arguments, so this aborts the evaluation. */
    private static Object abortIfFailed(Object value) {
        if (value instanceof Failure failure) {
            throw new EvaluationAborted("internal error: " + failure.getMessage());
        }
        return value;
    }

    private static @Nullable CallCost ofKubernetes(String function, String overload) {
        return switch (function) {
            case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf", "includes" ->
                (args, result) -> traversal(args[0]);
            case "url",
                    "lowerAscii",
                    "upperAscii",
                    "substring",
                    "trim",
                    "cidr",
                    "isIP",
                    "isCIDR",
                    "quantity",
                    "isQuantity",
                    "semver",
                    "isSemver" -> (args, result) -> perCharacter(ownSize(args[0]));
            case "ip" ->
                overload.equals("cidr_ip") ? (args, result) -> 1 : (args, result) -> perCharacter(ownSize(args[0]));
            case "replace", "split", "ip.isCanonical" -> (args, result) -> perCharacter(2 * ownSize(args[0]));
            case "join" -> (args, result) -> perCharacter(2 * ownSize(result));
            case "find", "findAll" -> (args, result) -> regex(ownSize(args[0]), ownSize(args[1]));
            case "containsIP" ->
                overload.equals("cidr_contains_ip_string")
                        ? (args, result) -> containment(args) + parsing(args[1])
                        : (args, result) -> containment(args);
            case "containsCIDR" ->
                overload.equals("cidr_contains_cidr_string")
                        ? (args, result) -> containment(args) + parsing(args[1]) + parsing(args[0]) + 1
                        : (args, result) -> containment(args) + parsing(args[0]) + 1;
            case "validate" ->
                (args, result) ->
                        args[0] instanceof NamedFormat format ? regex(ownSize(args[1]), format.regexLength()) : 1;
            default -> null;
        };
    }

    private static long containment(Object[] args) {
        return perCharacter(2 * ownSize(args[0]));
    }

    private static long parsing(Object text) {
        return perCharacter(ownSize(text));
    }

    private static CallCost byDefault(String overload) {
        return switch (overload) {
            case "starts_with_string", "ends_with_string" -> (args, result) -> perCharacter(size(args[1]));
            case "string_to_bytes", "bytes_to_string", "strings_quote", "string_format" ->
                (args, result) -> perCharacter(size(args[0]));
            case "in_list" -> (args, result) -> size(args[1]);
            case "less_string",
                    "greater_string",
                    "less_equals_string",
                    "greater_equals_string",
                    "less_bytes",
                    "greater_bytes",
                    "less_equals_bytes",
                    "greater_equals_bytes" -> (args, result) -> comparison(args);
            case "add_string", "add_bytes" -> (args, result) -> perCharacter(size(args[0]) + size(args[1]));
            case "matches", "matches_string" -> (args, result) -> regex(size(args[0]), size(args[1]));
            case "contains_string" -> (args, result) -> perCharacter(size(args[0])) * perCharacter(size(args[1]));
            default -> (args, result) -> 1;
        };
    }

    /** The cost of comparing two values, up to the end of the shorter one. */
    static long comparison(Object[] args) {
        return perCharacter(Math.min(size(args[0]), size(args[1])));
    }

    static long equality(Object[] args) {
        boolean fixed = args[0] instanceof Quantity || args[0] instanceof OpaqueValue;
        return fixed ? 1 : comparison(args);
    }

    private static long regex(long textLength, long patternLength) {
        return (long) Math.ceil((1.0 + textLength) * TRAVERSAL) * (long) Math.ceil(patternLength * REGEX_LENGTH);
    }

    private static long perCharacter(long length) {
        return (long) Math.ceil(length * TRAVERSAL);
    }

    /** The length of a value, or of the value in an optional; 1 for a value without a length. */
    private static long size(Object value) {
        return value instanceof Optional<?> optional && optional.isPresent() ? size(optional.get()) : ownSize(value);
    }

    private static long ownSize(Object value) {
        if (value instanceof String text) {
            return text.codePointCount(0, text.length());
        }
        if (value instanceof List<?> list) {
            return list.size();
        }
        if (value instanceof Map<?, ?> map) {
            return map.size();
        }
        if (value instanceof CelByteString bytes) {
            return bytes.size();
        }
        return value instanceof OpaqueValue opaque ? opaque.size() : 1;
    }

    /** The cost of reading a value completely. */
    private static long traversal(Object value) {
        if (value instanceof String text) {
            return (long) (com.google.common.base.Utf8.encodedLength(text) * TRAVERSAL);
        }
        if (value instanceof CelByteString bytes) {
            return (long) (bytes.size() * TRAVERSAL);
        }
        if (value instanceof Map<?, ?> map) {
            Steps.take(map.size());
            return map.entrySet().stream()
                    .mapToLong(entry -> traversal(entry.getKey()) + traversal(entry.getValue()))
                    .sum();
        }
        return value instanceof List<?> list ? elements(list) : 1;
    }

    private static long elements(List<?> elements) {
        Steps.take(1L + elements.size());
        long cost = 0;
        for (Object element : elements) {
            cost += traversal(element);
        }
        return cost;
    }
}
