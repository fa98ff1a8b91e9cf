package dev.fakegpu.engine.cel.eval;

import dev.fakegpu.engine.cel.value.Equality;
import dev.fakegpu.engine.cel.value.Numbers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** {@code x in [1, 2]} with a list of literals: a lookup in a set, which is free. */
final class MembershipNode extends ExpressionNode {
    private final ExpressionNode element;
    private final Set<Object> values;

    /** @param values the values, with every form of each number; see {@link Numbers#equalValues} */
    MembershipNode(long id, ExpressionNode element, Set<Object> values) {
        super(id);
        this.element = element;
        this.values = values;
    }

    /** Converts -0.0 to 0.0, since the set contains only 0.0, which equals it. */
    private static Object positiveZero(Object value) {
        return value instanceof Double number ? (Object) (number + 0.0) : value;
    }

    /** Compares one by one values that can contain others many times, since hashing them could take forever. */
    private boolean isMember(Object value) {
        boolean isNested = value instanceof List<?> || value instanceof Map<?, ?> || value instanceof Optional<?>;
        return isNested
                ? values.stream().anyMatch(literal -> Equality.isEqual(literal, value))
                : values.contains(positiveZero(value));
    }

    @Override
    Object evaluate(Evaluation evaluation) {
        Object value = element.evaluate(evaluation);
        Object result = isFailure(value) ? value : (Object) isMember(value);
        evaluation.costs().push(id(), result);
        return result;
    }
}
