package dev.fakegpu.engine.allocate.lookahead;

import java.util.Arrays;
import java.util.List;

/** The number of devices that are still missing for each demand. Mutable, so that a check does not create objects. */
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

    /** The number of missing devices for the decided demands to which a constraint applies. */
    int of(ConstraintSupport constraint) {
        int sum = 0;
        for (int i = 0; i < missing.length; i++) {
            if (missing[i] > 0 && constraint.appliesTo(demands.get(i))) {
                sum += missing[i];
            }
        }
        return sum;
    }

    /** Whether each demand to which a constraint applies finds enough free devices in the set, considered by itself. */
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
