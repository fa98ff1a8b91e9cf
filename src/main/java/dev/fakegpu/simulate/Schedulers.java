package dev.fakegpu.simulate;

import java.util.Locale;

/** Which schedulers a simulated cluster has. */
public enum Schedulers {
    /** The companion alone: pods of others are left pending. It also allocates from slices that belong to no FakeGpu. */
    COMPANION,
    /** The companion, and one that stands for kube-scheduler. */
    KUBE;

    /** As users write it, such as {@code kube}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
