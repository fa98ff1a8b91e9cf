package dev.fakegpu.engine.headroom;

import dev.fakegpu.engine.allocate.refusal.Refusal;

/** The reasons why devices that a request selects cannot be allocated at the moment. */
public enum Obstacle {
    HELD,
    GROUPS,
    COUNTERS,
    TAINTED,
    CAPACITY,
    CONSTRAINT,
    /** A selector fails on the device, so a search that reaches it ends there. */
    FAILED,
    OTHER;

    static Obstacle of(Refusal refusal) {
        if (refusal instanceof Refusal.InUse) {
            return HELD;
        }
        if (refusal instanceof Refusal.GroupsIncompatible) {
            return GROUPS;
        }
        if (refusal instanceof Refusal.CounterShort || refusal instanceof Refusal.PoolOverdrawn) {
            return COUNTERS;
        }
        if (refusal instanceof Refusal.Tainted) {
            return TAINTED;
        }
        if (refusal instanceof Refusal.CapacityShort || refusal instanceof Refusal.PortionNotOffered) {
            return CAPACITY;
        }
        if (refusal instanceof Refusal.SelectorFailed || refusal instanceof Refusal.Broken) {
            return FAILED;
        }
        return refusal instanceof Refusal.ConstraintViolated ? CONSTRAINT : OTHER;
    }

    /** Whether the request does not match the device at all. */
    static boolean isNotMeant(Refusal refusal) {
        return refusal instanceof Refusal.NotSelected || refusal instanceof Refusal.NotReached;
    }
}
