package dev.fakegpu.engine.cel.eval;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the cost of one evaluation and stops it at the limit. The cost of a call depends on its arguments, which the tracker finds by the
 * id of their expression on a stack of the values evaluated so far. Upstream: {@code cel-go/interpreter/runtimecost.go}. The stack is
 * handled exactly as in upstream, because a call is free if its arguments are no longer on it.
 */
final class CostTracker {

    /** The number of cost units and values between two interrupt checks. Values count, since a call that costs nothing still takes time. */
    static final int INTERRUPT_CHECK_INTERVAL = 4_096;

    private final long limit;
    private final Runnable interruptCheck;
    private long cost;
    private long[] ids = new long[32];
    private @Nullable Object[] values = new Object[32];

    /** For each value on the stack, the index of the previous value with the same id plus 1, or 0. */
    private int[] earlier = new int[32];

    /** For each id, the index of its latest value plus 1, or 0. */
    private int[] latest = new int[64];

    private int size;
    private long pushed;
    private long nextCheck = INTERRUPT_CHECK_INTERVAL;

    /** @param interruptCheck called regularly; an exception that it throws ends the evaluation */
    CostTracker(long limit, Runnable interruptCheck) {
        this.limit = limit;
        this.interruptCheck = interruptCheck;
    }

    long cost() {
        return cost;
    }

    void add(long units) {
        cost += units;
    }

    /**
     * Records a value and checks the limit.
     *
     * @throws EvaluationAborted if the evaluation has become too expensive
     */
    void push(long id, Object value) {
        if (size == ids.length) {
            ids = Arrays.copyOf(ids, 2 * size);
            values = Arrays.copyOf(values, 2 * size);
            earlier = Arrays.copyOf(earlier, 2 * size);
        }
        if (id >= latest.length) {
            latest = Arrays.copyOf(latest, 2 * Math.toIntExact(id));
        }
        earlier[size] = latest[(int) id];
        latest[(int) id] = size + 1;
        ids[size] = id;
        values[size] = value;
        size++;
        // Upstream's counter is unsigned: a negative value is far above the limit.
        if (Long.compareUnsigned(cost, limit) > 0) {
            throw EvaluationAborted.costLimit();
        }
        if (cost + ++pushed >= nextCheck) {
            nextCheck = cost + pushed + INTERRUPT_CHECK_INTERVAL;
            interruptCheck.run();
        }
    }

    /** Removes the latest value of an expression and everything after it. */
    void drop(long id) {
        int index = indexOf(id);
        if (index >= 0) {
            cut(index);
        }
    }

    /** Removes the values of arguments from the stack and returns them; null if one of them is not there. */
    Object @Nullable [] dropArguments(ExpressionNode[] arguments) {
        var result = new Object[arguments.length];
        for (int i = arguments.length - 1; i >= 0; i--) {
            int index = indexOf(arguments[i].id());
            if (index < 0) {
                return null;
            }
            Object value = values[index];
            cut(index);
            if (value != null) {
                result[i] = value;
            }
        }
        return result;
    }

    /** The index of the expression's value; -1 if it has none on the stack. Does not search, since the stack becomes long in a loop. */
    private int indexOf(long id) {
        return id < latest.length ? latest[(int) id] - 1 : -1;
    }

    /** Truncates the stack to this many values. */
    private void cut(int newSize) {
        while (size > newSize) {
            size--;
            latest[(int) ids[size]] = earlier[size];
            values[size] = null;
        }
    }
}
