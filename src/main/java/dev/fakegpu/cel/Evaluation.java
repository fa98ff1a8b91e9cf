package dev.fakegpu.cel;

import org.jspecify.annotations.Nullable;

/** The state of one evaluation: the device, the variables of comprehensions by slot, and the costs. */
final class Evaluation {
    private final @Nullable DeviceVariable device;
    private final @Nullable Object[] locals;
    private final CostTracker costs;

    Evaluation(@Nullable DeviceVariable device, int localCount, long costLimit) {
        this.device = device;
        this.locals = new Object[localCount];
        this.costs = new CostTracker(costLimit);
    }

    /** For parts of an expression that see no device. */
    static Evaluation ofConstants() {
        return new Evaluation(null, 0, Long.MAX_VALUE);
    }

    DeviceVariable device() {
        if (device == null) {
            throw new IllegalStateException("a literal asked for the device");
        }
        return device;
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
