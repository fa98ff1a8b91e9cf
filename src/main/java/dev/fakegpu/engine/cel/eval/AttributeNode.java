package dev.fakegpu.engine.cel.eval;

import java.util.Optional;

/** A path as an expression. */
final class AttributeNode extends ExpressionNode {
    private final Attribute attribute;
    private final boolean presenceTest;

    private AttributeNode(long id, Attribute attribute, boolean presenceTest) {
        super(id);
        this.attribute = attribute;
        this.presenceTest = presenceTest;
    }

    static AttributeNode of(Attribute attribute) {
        return new AttributeNode(attribute.startId(), attribute, false);
    }

    /** {@code has(path)}, for a path whose last step is a {@linkplain Qualifier#presenceOf presence test}. */
    static AttributeNode presence(long id, Attribute attribute) {
        return new AttributeNode(id, attribute, true);
    }

    Attribute attribute() {
        return attribute;
    }

    @Override
    long id() {
        return presenceTest ? super.id() : attribute.id();
    }

    @Override
    Object evaluate(Evaluation evaluation) {
        Object value = attribute.resolve(evaluation);
        if (presenceTest && value instanceof Optional<?> optional) {
            value = optional.isPresent();
        }
        CostTracker costs = evaluation.costs();
        attribute.settle(costs);
        if (presenceTest) {
            // Kubernetes sets PresenceTestHasCost to false, so only the steps have a cost.
            costs.add(-1);
        }
        costs.push(id(), value);
        return value;
    }
}
