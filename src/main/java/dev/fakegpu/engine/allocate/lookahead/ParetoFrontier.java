package dev.fakegpu.engine.allocate.lookahead;

import java.util.Arrays;

/**
 * The best achievable combinations of devices, each as {@link KindCounts}, without those that another combination covers. Only {@link #add}
 * and {@link #addAll} change it.
 */
final class ParetoFrontier {

    private long[] counts;
    private int size;

    private ParetoFrontier(long[] counts, int size) {
        this.counts = counts;
        this.size = size;
    }

    /** A frontier of no devices. */
    static ParetoFrontier ofNothing() {
        return new ParetoFrontier(new long[] {KindCounts.NOTHING}, 1);
    }

    static ParetoFrontier of(long only) {
        return new ParetoFrontier(new long[] {only}, 1);
    }

    /** An empty frontier to be filled; it does not even have the combination of no devices. */
    static ParetoFrontier empty() {
        return new ParetoFrontier(new long[4], 0);
    }

    void add(long added) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (KindCounts.covers(counts[i], added)) {
                return;
            }
            if (!KindCounts.covers(added, counts[i])) {
                counts[kept++] = counts[i];
            }
        }
        if (kept == counts.length) {
            counts = Arrays.copyOf(counts, 2 * kept);
        }
        counts[kept] = added;
        size = kept + 1;
    }

    void addAll(ParetoFrontier other) {
        for (int i = 0; i < other.size; i++) {
            add(other.counts[i]);
        }
    }

    /** What this frontier and another one can serve together, counting up to {@code most} of each kind. */
    ParetoFrontier plus(ParetoFrontier other, long most) {
        ParetoFrontier sum = new ParetoFrontier(new long[Math.max(4, size)], 0);
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < other.size; j++) {
                sum.add(KindCounts.plus(counts[i], other.counts[j], most));
            }
        }
        return sum;
    }

    /** The same frontier, limited to {@code most} of each kind. */
    ParetoFrontier upTo(long most) {
        boolean within = true;
        for (int i = 0; i < size; i++) {
            within &= KindCounts.covers(most, counts[i]);
        }
        if (within) {
            return this;
        }
        ParetoFrontier bounded = empty();
        for (int i = 0; i < size; i++) {
            bounded.add(KindCounts.min(counts[i], most));
        }
        return bounded;
    }

    boolean covers(long wanted) {
        for (int i = 0; i < size; i++) {
            if (KindCounts.covers(counts[i], wanted)) {
                return true;
            }
        }
        return false;
    }

    boolean coversAll(ParetoFrontier other) {
        for (int i = 0; i < other.size; i++) {
            if (!covers(other.counts[i])) {
                return false;
            }
        }
        return true;
    }

    boolean isNothing() {
        return size == 1 && counts[0] == KindCounts.NOTHING;
    }

    /** The maximum of each kind by itself; the combination of all maxima may be impossible. */
    long most() {
        long most = KindCounts.NOTHING;
        for (int i = 0; i < size; i++) {
            most = KindCounts.max(most, counts[i]);
        }
        return most;
    }

    int size() {
        return size;
    }
}
