package dev.fakegpu.engine.allocate.lookahead;

import java.util.List;

/**
 * The state of the search as the forward check reads it: what is left at the current point. A device is identified by the index of its pool
 * among the node's pools and by its position in the pool.
 */
public interface SearchState {

    /** A result of {@link #join}. */
    int REFUSED = -1;

    /**
     * Call this in loops over devices or requests.
     *
     * @param combinations how many combinations of devices the next round of the loop computes, or a similar measure of its work
     * @throws RuntimeException if the limit of the search is reached
     */
    void checkLimit(int combinations);

    /** The counter components of a pool, which depend only on the published devices. */
    CounterComponents components(int pool);

    /** Whether several requests can have shares of the device. */
    boolean isShareable(int pool, int device);

    /** One bit for each of 64 devices of a pool; set if the device is allocated as a whole. */
    long busy(int pool, int word);

    /** Whether a share of the device is allocated, so that another share consumes no more counters. */
    boolean isShared(int pool, int device);

    /** The remaining amount of each counter of a pool, by column. The array must not be written to. */
    long[] freeCounters(int pool);

    /** A number for the state of a counter set's compatibility groups. Equal states have equal numbers. */
    int groups(int pool, int counterSet);

    /** The state after a device with these groups has joined; {@link #REFUSED} if the counter set does not admit it. */
    int join(int groups, List<String> declared);

    /** The currently allocated shares of a device. */
    Shares shares(int pool, int device);

    default boolean isBusy(int pool, int device) {
        return (busy(pool, device >>> 6) & 1L << device) != 0;
    }
}
