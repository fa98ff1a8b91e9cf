package dev.fakegpu.hardware.dcgm;

import dev.fakegpu.api.LoadSpec;
import dev.fakegpu.api.LoadSpec.Point;
import java.time.Instant;
import java.util.List;

/** Computes how busy a device is from {@code spec.load}. */
final class LoadCurve {

    private static final double PERCENT = 100;
    private static final double MILLIS = 1000;

    /**
     * The load; both values are from 0 to 1.
     *
     * @param memory the part of the device's memory that is in use
     */
    record Load(double utilization, double memory) {
        static final Load IDLE = new Load(0, 0);
    }

    private LoadCurve() {}

    /** @param busy whether a running pod holds the device */
    static Load at(Instant now, LoadSpec spec, boolean busy) {
        if ((spec.mode() == LoadSpec.Mode.FollowPods && !busy) || !spec.ascends()) {
            return Load.IDLE;
        }
        double utilization =
                spec.mode() == LoadSpec.Mode.Curve ? onCurve(now, spec.curve()) : spec.utilizationOrDefault() / PERCENT;
        return new Load(utilization, spec.memory() == null ? utilization : spec.memory() / PERCENT);
    }

    private static double onCurve(Instant now, List<Point> curve) {
        int length = curve.get(curve.size() - 1).atSeconds();
        double second = Math.floorMod(now.toEpochMilli(), length * (long) MILLIS) / MILLIS;
        int next = 1;
        while (curve.get(next).atSeconds() < second) {
            next++;
        }
        Point from = curve.get(next - 1);
        Point to = curve.get(next);
        double part = (second - from.atSeconds()) / (to.atSeconds() - from.atSeconds());
        return (from.utilization() + part * (to.utilization() - from.utilization())) / PERCENT;
    }
}
