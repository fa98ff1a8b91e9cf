package dev.fakegpu.engine.cel.eval;

import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.Lookup;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Optional;

/** <code>{k: a, ?l: b}</code>. If two keys are equal, the later one wins. */
final class MapNode extends ExpressionNode {
    private static final long COST = 30;

    private final ExpressionNode[] keysAndValues;
    private final boolean[] optional;

    /** @param keysAndValues each key, followed by its value */
    MapNode(long id, ExpressionNode[] keysAndValues, boolean[] optional) {
        super(id);
        this.keysAndValues = keysAndValues;
        this.optional = optional;
    }

    @Override
    Object evaluate(Evaluation evaluation) {
        Object result = build(evaluation);
        evaluation.costs().dropArguments(keysAndValues);
        evaluation.costs().add(COST);
        evaluation.costs().push(id(), result);
        return result;
    }

    Object build(Evaluation evaluation) {
        var entries = new LinkedHashMap<Object, Object>();
        for (int i = 0; i < optional.length; i++) {
            Object key = keysAndValues[2 * i].evaluate(evaluation);
            if (isFailure(key)) {
                return key;
            }
            Lookup.requireKey(key);
            Object value = keysAndValues[2 * i + 1].evaluate(evaluation);
            if (isFailure(value)) {
                return value;
            }
            if (!optional[i]) {
                entries.put(key, value);
            } else if (value instanceof Optional<?> maybe) {
                put(entries, key, maybe);
            } else {
                return new Failure("cannot initialize optional entry from non-optional value");
            }
        }
        return Collections.unmodifiableMap(entries);
    }

    private static void put(LinkedHashMap<Object, Object> entries, Object key, Optional<?> value) {
        if (value.isPresent()) {
            entries.put(key, value.get());
        } else {
            entries.remove(key);
        }
    }
}
