package dev.fakegpu.engine.allocate.lookahead;

import org.jspecify.annotations.Nullable;

/** The allocated shares of one device. Immutable. */
@FunctionalInterface
public interface Shares {

    /**
     * These shares and one more.
     *
     * @param variant the id of the request variant that takes it
     * @return null if the device does not have enough capacity
     */
    @Nullable Shares plus(int variant);
}
