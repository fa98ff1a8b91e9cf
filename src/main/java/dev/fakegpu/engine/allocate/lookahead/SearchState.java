package dev.fakegpu.engine.allocate.lookahead;

import java.util.List;

/**
 * What the forward check reads of a search: what is left at its current point. A device is given by the place of its pool among the
 * node's pools and by its position in the pool.
 */
public interface SearchState {

    /** See {@link #join}. */
    int REFUSED = -1;

    /**
     * To be called in what takes longer with more devices or requests, about as often as a frontier is computed.
     *
     * @throws RuntimeException if the limit of the search is reached
     */
    void checkLimit();

    /** The counter components of a pool; they depend on the published devices only. */
    CounterComponents components(int pool);

    /** Whether several requests can have shares of the device. */
    boolean isShareable(int pool, int device);

    /** One bit for each of 64 devices of a pool, set if the device is allocated whole. */
    long busy(int pool, int word);

    /** Whether a share of the device is allocated, so that another share consumes no more counters. */
    boolean isShared(int pool, int device);

    /** What is left of each counter of a pool, by column. The array must not be written to. */
    long[] freeCounters(int pool);

    /** A number for the state of a counter set's compatibility groups; equal states have equal numbers. */
    int groups(int pool, int counterSet);

    /** The state after a device that declares these groups joined, or {@link #REFUSED} if the counter set does not admit it. */
    int join(int groups, List<String> declared);

    /** The shares of a device that are allocated now. */
    Shares shares(int pool, int device);

    default boolean isBusy(int pool, int device) {
        return (busy(pool, device >>> 6) & 1L << device) != 0;
    }
}
