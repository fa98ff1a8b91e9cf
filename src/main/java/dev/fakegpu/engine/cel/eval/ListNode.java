package dev.fakegpu.engine.cel.eval;

import dev.fakegpu.engine.cel.value.Failure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** {@code [a, ?b]}. */
final class ListNode extends ExpressionNode {
    private static final long COST = 10;

    private final ExpressionNode[] elements;
    private final boolean[] optional;

    ListNode(long id, ExpressionNode[] elements, List<Integer> optionalIndices) {
        super(id);
        this.elements = elements;
        this.optional = new boolean[elements.length];
        optionalIndices.forEach(index -> optional[index] = true);
    }

    @Override
    Object evaluate(Evaluation evaluation) {
        Object result = build(evaluation);
        evaluation.costs().dropArguments(elements);
        evaluation.costs().add(COST);
        evaluation.costs().push(id(), result);
        return result;
    }

    Object build(Evaluation evaluation) {
        var values = new ArrayList<Object>(elements.length);
        for (int i = 0; i < elements.length; i++) {
            Object value = elements[i].evaluate(evaluation);
            if (isFailure(value)) {
                return value;
            }
            if (!optional[i]) {
                values.add(value);
            } else if (value instanceof Optional<?> maybe) {
                maybe.ifPresent(values::add);
            } else {
                return new Failure("cannot initialize optional list element from non-optional value");
            }
        }
        return Collections.unmodifiableList(values);
    }
}
