package dev.fakegpu.engine.cel.eval;

import dev.fakegpu.engine.cel.value.Accumulator;
import dev.fakegpu.engine.cel.value.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A path: where it starts, and the fields and indexes to follow from there. Each step adds its own cost; the enclosing
 * {@link AttributeNode} adds that of the path as a whole. Upstream: {@code cel-go/interpreter/attributes.go}.
 */
abstract sealed class Attribute {
    private final long startId;

    private Attribute(long startId) {
        this.startId = startId;
    }

    /** The id of the last step. */
    abstract long id();

    /** Adds a step; used only while the expression is planned. */
    abstract void follow(Qualifier step);

    abstract Object resolve(Evaluation evaluation);

    /** Removes the values of the path from the stack and adds its cost. */
    abstract void settle(CostTracker costs);

    final long startId() {
        return startId;
    }

    private abstract static sealed class Path extends Attribute {
        private final List<Qualifier> steps = new ArrayList<>();

        Path(long startId) {
            super(startId);
        }

        @Override
        long id() {
            return steps.isEmpty() ? startId() : steps.get(steps.size() - 1).id();
        }

        @Override
        void follow(Qualifier step) {
            steps.add(step);
        }

        @Override
        void settle(CostTracker costs) {
            costs.drop(id());
            costs.add(1);
        }

        final Object followFrom(Object start, Evaluation evaluation) {
            Object value = start;
            boolean isOptional = false;
            if (start instanceof Optional<?> optional) {
                if (optional.isEmpty()) {
                    return optional;
                }
                value = optional.get();
                isOptional = true;
            }
            for (int i = 0; i < steps.size(); i++) {
                Qualifier step = steps.get(i);
                isOptional |= step.isOptional();
                Object next = isOptional ? step.find(value, evaluation) : step.get(value, evaluation);
                if (next == null) {
                    return Optional.empty();
                }
                if (ExpressionNode.isFailure(next)) {
                    return next;
                }
                value = next;
            }
            return isOptional ? Optional.of(value) : value;
        }
    }

    /** Starts at the variable of the expression. */
    static final class OfVariable extends Path {
        OfVariable(long startId) {
            super(startId);
        }

        @Override
        Object resolve(Evaluation evaluation) {
            return followFrom(evaluation.variable(), evaluation);
        }
    }

    /** Starts at a variable of a comprehension. */
    static final class OfLocal extends Path {
        private final int slot;
        private final @Nullable ExpressionNode initial;

        /** @param initial the initial value of an accumulator, which is set when the accumulator is first read */
        OfLocal(long startId, int slot, @Nullable ExpressionNode initial) {
            super(startId);
            this.slot = slot;
            this.initial = initial;
        }

        @Override
        Object resolve(Evaluation evaluation) {
            Object value = evaluation.local(slot);
            if (value == null) {
                value = initialValue(evaluation);
            }
            return ExpressionNode.isFailure(value) ? value : followFrom(value, evaluation);
        }

        private Object initialValue(Evaluation evaluation) {
            if (initial == null) {
                return new Failure("no such attribute");
            }
            Object value = Accumulator.startingWith(initial.evaluate(evaluation));
            evaluation.setLocal(slot, value);
            return value;
        }
    }

    /** Starts at the result of an expression. */
    static final class OfNode extends Path {
        private final ExpressionNode start;

        OfNode(long startId, ExpressionNode start) {
            super(startId);
            this.start = start;
        }

        @Override
        Object resolve(Evaluation evaluation) {
            Object value = start.evaluate(evaluation);
            return ExpressionNode.isFailure(value) ? value : followFrom(value, evaluation);
        }
    }

    /** {@code c ? a : b}: one of two paths, which share the steps that follow. It costs as much as the path that is taken. */
    static final class Conditional extends Attribute {
        private final ExpressionNode condition;
        private final Attribute whenTrue;
        private final Attribute whenFalse;

        Conditional(long startId, ExpressionNode condition, Attribute whenTrue, Attribute whenFalse) {
            super(startId);
            this.condition = condition;
            this.whenTrue = whenTrue;
            this.whenFalse = whenFalse;
        }

        @Override
        long id() {
            return whenTrue.id() == whenFalse.id() ? whenTrue.id() : startId();
        }

        @Override
        void follow(Qualifier step) {
            whenTrue.follow(step);
            whenFalse.follow(step);
        }

        @Override
        Object resolve(Evaluation evaluation) {
            Object value = condition.evaluate(evaluation);
            if (value instanceof Boolean bool) {
                return bool ? whenTrue.resolve(evaluation) : whenFalse.resolve(evaluation);
            }
            return ExpressionNode.isFailure(value) ? value : Failure.noSuchOverload("_?_:_");
        }

        @Override
        void settle(CostTracker costs) {
            costs.drop(whenFalse.id());
            costs.drop(whenTrue.id());
            costs.drop(condition.id());
        }
    }
}
