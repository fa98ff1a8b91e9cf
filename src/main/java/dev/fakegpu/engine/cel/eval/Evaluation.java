package dev.fakegpu.engine.cel.eval;

import org.jspecify.annotations.Nullable;

/** The state of one evaluation: the variable of the expression, the variables of its comprehensions by slot, and the costs. */
public final class Evaluation {
    private final @Nullable Object variable;
    private final @Nullable Object[] locals;
    private final CostTracker costs;

    Evaluation(@Nullable Object variable, int localCount, CostTracker costs) {
        this.variable = variable;
        this.locals = new Object[localCount];
        this.costs = costs;
    }

    /** An evaluation of parts that consist only of literals. */
    static Evaluation ofConstants() {
        return new Evaluation(null, 0, new CostTracker(Long.MAX_VALUE, () -> {}));
    }

    Object variable() {
        if (variable == null) {
            throw new IllegalStateException("a literal refers to the variable");
        }
        return variable;
    }

    CostTracker costs() {
        return costs;
    }

    @Nullable Object local(int slot) {
        return locals[slot];
    }

    void setLocal(int slot, @Nullable Object value) {
        locals[slot] = value;
    }
}
