package dev.fakegpu.allocate;

import java.util.Arrays;

/** What can be had of each kind together, as {@link KindCounts}s none of which is covered by another one. */
final class ParetoFrontier {

    private long[] tallies;
    private int size;

    private ParetoFrontier(long[] tallies, int size) {
        this.tallies = tallies;
        this.size = size;
    }

    /** Nothing at all can be had. */
    static ParetoFrontier ofNothing() {
        return new ParetoFrontier(new long[] {KindCounts.NOTHING}, 1);
    }

    static ParetoFrontier of(long tally) {
        return new ParetoFrontier(new long[] {tally}, 1);
    }

    static ParetoFrontier empty() {
        return new ParetoFrontier(new long[4], 0);
    }

    void add(long tally) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (KindCounts.covers(tallies[i], tally)) {
                return;
            }
            if (!KindCounts.covers(tally, tallies[i])) {
                tallies[kept++] = tallies[i];
            }
        }
        if (kept == tallies.length) {
            tallies = Arrays.copyOf(tallies, 2 * kept);
        }
        tallies[kept] = tally;
        size = kept + 1;
    }

    void addAll(ParetoFrontier other) {
        for (int i = 0; i < other.size; i++) {
            add(other.tallies[i]);
        }
    }

    /** What this and another one can give together, counted up to {@code most} of each kind. */
    ParetoFrontier plus(ParetoFrontier other, long most) {
        ParetoFrontier sum = new ParetoFrontier(new long[Math.max(4, size)], 0);
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < other.size; j++) {
                sum.add(KindCounts.plus(tallies[i], other.tallies[j], most));
            }
        }
        return sum;
    }

    /** The same, of each kind no more than {@code most}. */
    ParetoFrontier upTo(long most) {
        boolean within = true;
        for (int i = 0; i < size; i++) {
            within &= KindCounts.covers(most, tallies[i]);
        }
        if (within) {
            return this;
        }
        ParetoFrontier bounded = empty();
        for (int i = 0; i < size; i++) {
            bounded.add(KindCounts.min(tallies[i], most));
        }
        return bounded;
    }

    boolean covers(long tally) {
        for (int i = 0; i < size; i++) {
            if (KindCounts.covers(tallies[i], tally)) {
                return true;
            }
        }
        return false;
    }

    boolean coversAll(ParetoFrontier other) {
        for (int i = 0; i < other.size; i++) {
            if (!covers(other.tallies[i])) {
                return false;
            }
        }
        return true;
    }

    boolean isNothing() {
        return size == 1 && tallies[0] == KindCounts.NOTHING;
    }

    /** The most that there is of each kind, though maybe not together. */
    long most() {
        long most = KindCounts.NOTHING;
        for (int i = 0; i < size; i++) {
            most = KindCounts.max(most, tallies[i]);
        }
        return most;
    }

    int size() {
        return size;
    }
}
