package dev.fakegpu.simulate;

import java.util.Locale;

/** The schedulers of a simulated cluster. */
public enum Schedulers {
    /** Only the companion. Pods of other schedulers stay pending. The companion also allocates from slices that belong to no FakeGpu. */
    COMPANION,
    /** The companion, and a model of kube-scheduler. */
    KUBE;

    /** The name that users write, such as {@code kube}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
