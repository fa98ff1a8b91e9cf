package dev.fakegpu.util;

import java.util.function.Supplier;

/** Work in memory of which nothing is logged: its pods and claims are nobody's. */
public final class QuietWork {

    private static final ThreadLocal<Boolean> ON = ThreadLocal.withInitial(() -> false);

    private QuietWork() {}

    /** Does the work on this thread. */
    public static <T> T of(Supplier<T> work) {
        ON.set(true);
        try {
            return work.get();
        } finally {
            ON.remove();
        }
    }

    /** Whether this thread does such work. */
    static boolean isOn() {
        return ON.get();
    }
}
