package dev.fakegpu.engine.cel.library;

import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.fakegpu.engine.cel.value.Equality;
import dev.fakegpu.engine.cel.value.Steps;
import java.util.List;

/** Functions that treat lists as sets. Upstream: {@code cel-go/ext/sets.go}. */
final class SetLibrary extends FunctionLibrary {

    SetLibrary() {
        var lists = types(ListType.create(TypeParamType.create("T")), ListType.create(TypeParamType.create("T")));
        global(
                "sets.contains",
                "list_sets_contains_list",
                SimpleType.BOOL,
                lists,
                args -> contains((List<?>) args[0], (List<?>) args[1]));
        global(
                "sets.equivalent",
                "list_sets_equivalent_list",
                SimpleType.BOOL,
                lists,
                args -> contains((List<?>) args[0], (List<?>) args[1])
                        && contains((List<?>) args[1], (List<?>) args[0]));
        global(
                "sets.intersects",
                "list_sets_intersects_list",
                SimpleType.BOOL,
                lists,
                args -> intersect((List<?>) args[0], (List<?>) args[1]));
    }

    private static boolean intersect(List<?> list, List<?> others) {
        Steps.take(list.size());
        return list.stream().anyMatch(element -> Equality.contains(others, element));
    }

    private static boolean contains(List<?> list, List<?> others) {
        Steps.take(others.size());
        return others.stream().allMatch(element -> Equality.contains(list, element));
    }
}
