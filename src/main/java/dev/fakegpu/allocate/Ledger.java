package dev.fakegpu.allocate;

/**
 * Book-keeping of something that the devices of a pool share. The search places devices as it goes down and takes them back, last
 * one first, as it comes up.
 */
interface Ledger {

    /** Takes the device in if that is possible; otherwise nothing changes. */
    boolean tryPlace(PoolDevice device);

    /** A point to go back to. */
    int mark();

    /** Takes back what was placed since the mark. */
    void undo(int mark);
}
