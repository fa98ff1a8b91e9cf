package dev.fakegpu.engine.cel.library;

import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.fakegpu.engine.cel.value.Equality;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.Ordering;
import dev.fakegpu.engine.cel.value.Steps;
import dev.fakegpu.engine.cel.value.TypeName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** CEL's extension functions for lists, version 3. Upstream: {@code cel-go/ext/lists.go}. */
final class ListExtensions extends FunctionLibrary {

    private static final int MAX_RANGE = 1_000_000;

    ListExtensions() {
        var list = ListType.create(TypeParamType.create("T"));
        var dynamicList = ListType.create(SimpleType.DYN);
        member(
                "slice",
                "list_slice",
                list,
                types(list, SimpleType.INT, SimpleType.INT),
                args -> slice((List<?>) args[0], (Long) args[1], (Long) args[2]));
        member("flatten", "list_flatten", list, ListType.create(list), (List<?> values) -> flattened(values, 1));
        member("flatten", "list_flatten_int", dynamicList, dynamicList, SimpleType.INT, ListExtensions::flattened);
        global("lists.range", "lists_range", ListType.create(SimpleType.INT), SimpleType.INT, ListExtensions::range);
        member("reverse", "list_reverse", list, list, ListExtensions::reversed);
        member("distinct", "list_distinct", list, list, ListExtensions::distinct);
        ListLibrary.COMPARABLE.forEach((name, type) -> {
            var ordered = ListType.create(type);
            member(
                    "sort",
                    "list_" + type.name() + "_sort",
                    ordered,
                    ordered,
                    (List<?> values) -> sorted(values, values));
            member(
                    "@sortByAssociatedKeys",
                    "list_" + type.name() + "_sortByAssociatedKeys",
                    list,
                    list,
                    ordered,
                    ListExtensions::sorted);
        });
    }

    private static List<?> slice(List<?> list, long start, long end) {
        if (start < 0 || end < start || end > list.size()) {
            throw new Failure("cannot slice(" + start + ", " + end + "), list is length " + list.size());
        }
        return list.subList((int) start, (int) end);
    }

    private static List<Object> flattened(List<?> list, long depth) {
        if (depth < 0) {
            throw new Failure("level must be non-negative");
        }
        var result = new ArrayList<Object>();
        for (Object element : list) {
            Steps.take(1);
            if (element instanceof List<?> nested && depth > 0) {
                result.addAll(flattened(nested, depth - 1));
            } else {
                result.add(element);
            }
        }
        return result;
    }

    private static List<Long> range(long size) {
        if (size < 0) {
            throw new Failure("lists.range: size must be non-negative, got " + size);
        }
        if (size > MAX_RANGE) {
            throw new Failure("lists.range: size " + size + " exceeds maximum allowed (" + MAX_RANGE + ")");
        }
        Steps.take(size);
        return LongStream.range(0, size).boxed().toList();
    }

    private static List<?> reversed(List<?> list) {
        Steps.take(list.size());
        var result = new ArrayList<Object>(list);
        Collections.reverse(result);
        return result;
    }

    private static List<?> distinct(List<?> list) {
        var result = new ArrayList<Object>();
        for (Object element : list) {
            Steps.take(1L + result.size());
            if (result.stream().noneMatch(other -> Equality.isEqual(element, other))) {
                result.add(element);
            }
        }
        return result;
    }

    private static List<?> sorted(List<?> list, List<?> keys) {
        if (list.size() != keys.size()) {
            throw new Failure("@sortByAssociatedKeys() expected a list of the same size as the associated keys list");
        }
        requireOneType(keys);
        Steps.take(list.size());
        return IntStream.range(0, list.size())
                .boxed()
                .sorted((a, b) -> Ordering.compare(keys.get(a), keys.get(b)))
                .<Object>map(list::get)
                .toList();
    }

    private static void requireOneType(List<?> keys) {
        if (!keys.isEmpty() && !Ordering.isComparable(keys.get(0))) {
            throw new Failure("list elements must be comparable");
        }
        if (keys.stream().map(TypeName::of).distinct().count() > 1) {
            throw new Failure("list elements must have the same type");
        }
    }
}
