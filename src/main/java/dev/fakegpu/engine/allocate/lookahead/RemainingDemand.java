package dev.fakegpu.engine.allocate.lookahead;

import java.util.Arrays;
import java.util.List;

/** How many devices are still missing for each demand. Mutable, so that a check allocates nothing. */
final class RemainingDemand {

    private final List<DeviceDemand> demands;
    private final int[] missing;

    RemainingDemand(List<DeviceDemand> demands) {
        this.demands = demands;
        missing = new int[demands.size()];
    }

    void clear() {
        Arrays.fill(missing, 0);
    }

    void set(int demand, long devices) {
        missing[demand] = DeviceDemand.bounded(devices);
    }

    int of(int demand) {
        return missing[demand];
    }

    /** How many devices are missing for the decided demands that a constraint applies to. */
    int of(ConstraintSupport constraint) {
        int sum = 0;
        for (int i = 0; i < missing.length; i++) {
            if (missing[i] > 0 && constraint.appliesTo(demands.get(i))) {
                sum += missing[i];
            }
        }
        return sum;
    }

    /** Whether each demand that a constraint applies to, taken by itself, finds enough free devices in a set. */
    boolean eachFinds(DeviceSet devices, ConstraintSupport constraint, SearchState state) {
        for (int i = 0; i < missing.length; i++) {
            if (missing[i] > 0
                    && constraint.appliesTo(demands.get(i))
                    && devices.countFree(demands.get(i).variant().eligible(), state) < missing[i]) {
                return false;
            }
        }
        return true;
    }
}
