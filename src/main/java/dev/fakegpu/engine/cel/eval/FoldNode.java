package dev.fakegpu.engine.cel.eval;

import dev.fakegpu.engine.cel.value.Accumulator;
import dev.fakegpu.engine.cel.value.Failure;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A comprehension, which macros such as {@code all}, {@code exists}, {@code map} and {@code cel.bind} expand to. Its steps have their usual
 * costs; the comprehension itself is free.
 */
final class FoldNode extends ExpressionNode {

    /** The slots of the variables of a comprehension; -1 for a variable that is not used. */
    record Slots(int accumulator, int first, int second) {}

    /** The parts of a comprehension in the order in which they are planned. */
    record Parts(ExpressionNode range, ExpressionNode condition, ExpressionNode step, ExpressionNode result) {}

    private final Slots slots;
    private final Parts parts;

    FoldNode(long id, Slots slots, Parts parts) {
        super(id);
        this.slots = slots;
        this.parts = parts;
    }

    @Override
    Object evaluate(Evaluation evaluation) {
        evaluation.setLocal(slots.accumulator(), null);
        Object range = parts.range().evaluate(evaluation);
        Object result = isFailure(range) ? range : fold(range, evaluation);
        evaluation.costs().drop(parts.range().id());
        evaluation.costs().push(id(), result);
        return result;
    }

    private Object fold(Object range, Evaluation evaluation) {
        if (slots.second() >= 0) {
            return foldPairs(range, evaluation);
        }
        Iterator<?> values = iterator(range);
        if (values == null) {
            return new Failure("got a " + range.getClass().getSimpleName() + ", expected an iterable type");
        }
        while (values.hasNext() && step(values.next(), null, evaluation)) {
            // Each step keeps its result in the accumulator.
        }
        return result(evaluation);
    }

    /** An iterator over the elements of a list or the keys of a map; null for other values. */
    private static @Nullable Iterator<?> iterator(Object range) {
        if (range instanceof List<?> list) {
            return list.iterator();
        }
        return range instanceof Map<?, ?> map ? map.keySet().iterator() : null;
    }

    private Object foldPairs(Object range, Evaluation evaluation) {
        if (range instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                if (!step(entry.getKey(), entry.getValue(), evaluation)) {
                    break;
                }
            }
            return result(evaluation);
        }
        if (!(range instanceof List<?> list)) {
            return new Failure("unsupported comprehension range type");
        }
        for (int i = 0; i < list.size(); i++) {
            if (!step((long) i, list.get(i), evaluation)) {
                break;
            }
        }
        return result(evaluation);
    }

    /** Whether the comprehension continues after this element. */
    private boolean step(Object first, @Nullable Object second, Evaluation evaluation) {
        if (slots.first() >= 0) {
            evaluation.setLocal(slots.first(), first);
        }
        if (slots.second() >= 0) {
            evaluation.setLocal(slots.second(), second);
        }
        if (Boolean.FALSE.equals(parts.condition().evaluate(evaluation))) {
            return false;
        }
        evaluation.setLocal(slots.accumulator(), parts.step().evaluate(evaluation));
        return true;
    }

    private Object result(Evaluation evaluation) {
        Object result = parts.result().evaluate(evaluation);
        return result instanceof Accumulator accumulator ? accumulator.finished() : result;
    }
}
