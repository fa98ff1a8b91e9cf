package dev.fakegpu.explain;

import dev.fakegpu.allocate.GroupState;
import dev.fakegpu.allocate.Verdict;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.Quantity;
import java.util.List;

/** The first thing that keeps a device from a request. Devices that are stopped the same way have equal obstacles. */
public sealed interface Obstacle {

    Reason reason();

    /** Those in the way; empty where nobody is. */
    default List<Holder> holders() {
        return List.of();
    }

    /** A selector fails on the device. */
    record SelectorFailure(String message) implements Obstacle {
        @Override
        public Reason reason() {
            return Reason.SelectorFailed;
        }
    }

    /**
     * The device's groups have nothing in common with those of the devices on a counter set.
     *
     * @param groups what the device declares there; maybe nothing
     * @param state of the counter set
     */
    record Incompatible(String counterSet, List<String> groups, GroupState state, List<Holder> holders)
            implements Obstacle {
        @Override
        public Reason reason() {
            return Reason.DevicesIncompatible;
        }
    }

    /**
     * A counter does not suffice.
     *
     * @param needed nothing if it is another device's counter that is overdrawn, which blocks the whole pool
     * @param free what is left, less than nothing if overdrawn
     */
    record CounterShort(String counterSet, String counter, Quantity needed, Quantity free, List<Holder> holders)
            implements Obstacle {
        @Override
        public Reason reason() {
            return Reason.CountersExhausted;
        }
    }

    /** The device is held. */
    record InUse(List<Holder> holders) implements Obstacle {
        @Override
        public Reason reason() {
            return Reason.DevicesInUse;
        }
    }

    /** The device has a taint that is not tolerated. */
    record Tainted(DeviceTaint taint) implements Obstacle {
        @Override
        public Reason reason() {
            return Reason.DevicesTainted;
        }
    }

    /** A selector of the class or of the request does not want the device. */
    record NotSelected(Verdict.Origin origin, String expression) implements Obstacle {
        @Override
        public Reason reason() {
            return Reason.NoMatchingDevice;
        }
    }
}
