package dev.fakegpu.engine.cel.eval;

import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.Lookup;
import org.jspecify.annotations.Nullable;

/** One step of a path: a field, a key or an index. It costs one unit. */
abstract sealed class Qualifier {
    private final long id;
    private final boolean optional;

    private Qualifier(long id, boolean optional) {
        this.id = id;
        this.optional = optional;
    }

    static Qualifier constant(long id, Object key, boolean optional) {
        return new Constant(id, key, optional);
    }

    /** Whether the key exists, for {@code has()}. */
    static Qualifier presenceOf(long id, Object key) {
        return new Presence(id, key);
    }

    /** A key that is itself a path, like {@code a[b.c]}. */
    static Qualifier path(long id, Attribute key, boolean optional) {
        return new Computed(id, key, optional, false);
    }

    /** A key that is any other expression, such as a call. */
    static Qualifier computed(long id, ExpressionNode key, boolean optional) {
        return new Computed(id, new Attribute.OfNode(id, key), optional, true);
    }

    final long id() {
        return id;
    }

    /** Whether a missing value at this or a later step is not an error. */
    final boolean isOptional() {
        return optional;
    }

    /** The value that the step leads to, or a {@link Failure}. */
    abstract Object get(Object from, Evaluation evaluation);

    /** The value that the step leads to, a {@link Failure}, or null if there is no such value. */
    abstract @Nullable Object find(Object from, Evaluation evaluation);

    final void pay(Object value, Evaluation evaluation) {
        evaluation.costs().add(1);
        evaluation.costs().push(id, value);
    }

    final @Nullable Object paidIfFound(@Nullable Object value, Evaluation evaluation) {
        if (value != null && !ExpressionNode.isFailure(value)) {
            pay(value, evaluation);
        }
        return value;
    }

    private static final class Constant extends Qualifier {
        private final Object key;

        Constant(long id, Object key, boolean optional) {
            super(id, optional);
            this.key = key;
        }

        @Override
        Object get(Object from, Evaluation evaluation) {
            Object value = Lookup.get(from, key);
            pay(value, evaluation);
            return value;
        }

        @Override
        @Nullable Object find(Object from, Evaluation evaluation) {
            return paidIfFound(Lookup.find(from, key), evaluation);
        }
    }

    private static final class Presence extends Qualifier {
        private final Object key;

        Presence(long id, Object key) {
            super(id, false);
            this.key = key;
        }

        @Override
        Object get(Object from, Evaluation evaluation) {
            Object found = Lookup.find(from, key);
            Object result = found instanceof Failure ? found : (Object) (found != null);
            pay(result, evaluation);
            return result;
        }

        @Override
        @Nullable Object find(Object from, Evaluation evaluation) {
            return paidIfFound(Lookup.find(from, key), evaluation);
        }
    }

    private static final class Computed extends Qualifier {
        private final Attribute key;
        private final boolean dropsEarlier;

        Computed(long id, Attribute key, boolean optional, boolean dropsEarlier) {
            super(id, optional);
            this.key = key;
            this.dropsEarlier = dropsEarlier;
        }

        @Override
        Object get(Object from, Evaluation evaluation) {
            Object index = key.resolve(evaluation);
            Object value = ExpressionNode.isFailure(index) ? index : Lookup.get(from, index);
            settle(evaluation);
            pay(value, evaluation);
            return value;
        }

        @Override
        @Nullable Object find(Object from, Evaluation evaluation) {
            Object index = key.resolve(evaluation);
            Object value = ExpressionNode.isFailure(index) ? index : Lookup.find(from, index);
            if (value != null && !ExpressionNode.isFailure(value)) {
                settle(evaluation);
            }
            return paidIfFound(value, evaluation);
        }

        private void settle(Evaluation evaluation) {
            if (dropsEarlier) {
                evaluation.costs().drop(id());
            }
        }
    }
}
