package dev.fakegpu.engine.cel.library;

import dev.cel.common.types.MapType;
import dev.cel.common.types.TypeParamType;
import dev.fakegpu.engine.cel.value.AccumulatedMap;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.Lookup;
import dev.fakegpu.engine.cel.value.Steps;
import java.util.LinkedHashMap;
import java.util.Map;

/** The function that {@code transformMap} and {@code transformMapEntry} expand to. Upstream: {@code cel-go/ext/comprehensions.go}. */
final class ComprehensionLibrary extends FunctionLibrary {

    /** Each key is hashed and looked up as every kind of number. */
    private static final long STEPS_OF_ENTRY = 3;

    ComprehensionLibrary() {
        var key = TypeParamType.create("K");
        var value = TypeParamType.create("V");
        var map = MapType.create(key, value);
        global("cel.@mapInsert", "@mapInsert_map_key_value", map, types(map, key, value), args -> {
            Lookup.requireKey(args[1]);
            return inserted((Map<?, ?>) args[0], Map.of(args[1], args[2]));
        });
        global(
                "cel.@mapInsert",
                "@mapInsert_map_map",
                map,
                types(map, map),
                args -> inserted((Map<?, ?>) args[0], (Map<?, ?>) args[1]));
    }

    private static Object inserted(Map<?, ?> target, Map<?, ?> additions) {
        boolean isCopied = !(target instanceof AccumulatedMap);
        Steps.take(STEPS_OF_ENTRY * ((isCopied ? target.size() : 0) + additions.size()));
        Map<Object, Object> result = target instanceof AccumulatedMap same ? same : new LinkedHashMap<>(target);
        additions.forEach((key, value) -> {
            if (Lookup.inMap(result, key) != null) {
                throw new Failure("insert failed: key " + key + " already exists");
            }
            result.put(key, value);
        });
        return result;
    }
}
