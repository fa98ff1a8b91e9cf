package dev.fakegpu.simulate.controller;

import io.fabric8.kubernetes.api.model.IntOrString;
import org.jspecify.annotations.Nullable;

/** Numbers that are written as a count or as a percentage ({@code intstr.GetScaledValueFromIntOrPercent}). */
final class ReplicaShare {

    private static final int ALL = 100;

    private ReplicaShare() {}

    /** @param byDefault the value if none is given */
    static int roundedUp(@Nullable IntOrString value, String byDefault, int total) {
        return of(value, byDefault, total, true);
    }

    /** @param byDefault the value if none is given */
    static int roundedDown(@Nullable IntOrString value, String byDefault, int total) {
        return of(value, byDefault, total, false);
    }

    private static int of(@Nullable IntOrString value, String byDefault, int total, boolean isUp) {
        if (value != null && value.getIntVal() != null) {
            return value.getIntVal();
        }
        String text = value == null || value.getStrVal() == null ? byDefault : value.getStrVal();
        if (!text.endsWith("%")) {
            return Integer.parseInt(text);
        }
        long scaled = Long.parseLong(text.substring(0, text.length() - 1)) * total;
        return (int) (isUp ? (scaled + ALL - 1) / ALL : scaled / ALL);
    }
}
