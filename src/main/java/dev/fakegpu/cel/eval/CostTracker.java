package dev.fakegpu.cel.eval;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what one evaluation costs and stops it at the limit. The cost of a call depends on its arguments, which are found on a
 * stack of everything evaluated so far, by the id of their expression. Upstream: {@code cel-go/interpreter/runtimecost.go}; the
 * stack is kept as it is there because entries that upstream loses track of make calls free.
 */
final class CostTracker {
    private final long limit;
    private long cost;
    private long[] ids = new long[32];
    private @Nullable Object[] values = new Object[32];
    private int size;

    CostTracker(long limit) {
        this.limit = limit;
    }

    long cost() {
        return cost;
    }

    void add(long units) {
        cost += units;
    }

    /** Records a value, and is the point at which the limit is looked at. */
    void push(long id, Object value) {
        if (size == ids.length) {
            ids = Arrays.copyOf(ids, 2 * size);
            values = Arrays.copyOf(values, 2 * size);
        }
        ids[size] = id;
        values[size] = value;
        size++;
        // Upstream counts unsigned: below zero is far above the limit.
        if (Long.compareUnsigned(cost, limit) > 0) {
            throw EvaluationAborted.costLimit();
        }
    }

    /** Forgets the latest value of an expression and all that came after it. */
    void drop(long id) {
        int index = indexOf(id);
        if (index >= 0) {
            size = index;
        }
    }

    /** Takes the values of some arguments off the stack; null where one of them is not there. */
    Object @Nullable [] dropArguments(ExpressionNode[] arguments) {
        var result = new Object[arguments.length];
        for (int i = arguments.length - 1; i >= 0; i--) {
            int index = indexOf(arguments[i].id());
            if (index < 0) {
                return null;
            }
            size = index;
            Object value = values[index];
            if (value != null) {
                result[i] = value;
            }
        }
        return result;
    }

    private int indexOf(long id) {
        for (int i = size - 1; i >= 0; i--) {
            if (ids[i] == id) {
                return i;
            }
        }
        return -1;
    }
}
