package dev.fakegpu.evidence;

import java.util.function.IntFunction;

/**
 * How much of something the API server accepts.
 *
 * @param accepted the largest number that was accepted
 * @param refusal what the API server said to one more
 */
record SliceLimit(String of, int accepted, String refusal) {

    /** Looks for the number by trying, on both sides of it. @param refusal what is said to a number, empty if it is accepted */
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
