package dev.fakegpu.evidence;

import java.util.function.IntFunction;

/**
 * A limit of the API server.
 *
 * @param accepted the largest number that was accepted
 * @param refusal the API server's error for the next number
 */
record SliceLimit(String of, int accepted, String refusal) {

    /**
     * Finds the limit by trying numbers on both sides of it.
     *
     * @param refusal returns the error for a number; empty if the number is accepted
     */
    static SliceLimit find(String of, int atMost, IntFunction<String> refusal) {
        int good = 0;
        int bad = 1;
        while (refusal.apply(bad).isEmpty()) {
            good = bad;
            bad *= 2;
            if (good > atMost) {
                throw new IllegalStateException("no limit of " + of + " up to " + good);
            }
        }
        while (bad - good > 1) {
            int middle = (good + bad) / 2;
            if (refusal.apply(middle).isEmpty()) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        return new SliceLimit(of, good, refusal.apply(bad));
    }
}
