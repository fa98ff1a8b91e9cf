package dev.fakegpu.util;

import java.util.function.Supplier;

/** Work in memory that is not logged, because its pods and claims do not exist in a cluster. */
public final class QuietWork {

    private static final ThreadLocal<Boolean> ON = ThreadLocal.withInitial(() -> false);

    private QuietWork() {}

    /** Runs the work on this thread. */
    public static <T> T of(Supplier<T> work) {
        ON.set(true);
        try {
            return work.get();
        } finally {
            ON.remove();
        }
    }

    /** Whether this thread is doing such work. */
    static boolean isOn() {
        return ON.get();
    }
}
