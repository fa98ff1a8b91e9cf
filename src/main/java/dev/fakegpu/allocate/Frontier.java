package dev.fakegpu.allocate;

import java.util.Arrays;

/** What can be had of each kind together, as {@link Tally}s none of which is covered by another one. */
final class Frontier {

    private long[] tallies;
    private int size;

    private Frontier(long[] tallies, int size) {
        this.tallies = tallies;
        this.size = size;
    }

    /** Nothing at all can be had. */
    static Frontier ofNothing() {
        return new Frontier(new long[] {Tally.NOTHING}, 1);
    }

    static Frontier of(long tally) {
        return new Frontier(new long[] {tally}, 1);
    }

    static Frontier empty() {
        return new Frontier(new long[4], 0);
    }

    void add(long tally) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (Tally.covers(tallies[i], tally)) {
                return;
            }
            if (!Tally.covers(tally, tallies[i])) {
                tallies[kept++] = tallies[i];
            }
        }
        if (kept == tallies.length) {
            tallies = Arrays.copyOf(tallies, 2 * kept);
        }
        tallies[kept] = tally;
        size = kept + 1;
    }

    void addAll(Frontier other) {
        for (int i = 0; i < other.size; i++) {
            add(other.tallies[i]);
        }
    }

    /** What this and another one can give together, counted up to {@code most} of each kind. */
    Frontier plus(Frontier other, long most) {
        Frontier sum = new Frontier(new long[Math.max(4, size)], 0);
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < other.size; j++) {
                sum.add(Tally.plus(tallies[i], other.tallies[j], most));
            }
        }
        return sum;
    }

    /** The same, of each kind no more than {@code most}. */
    Frontier upTo(long most) {
        boolean within = true;
        for (int i = 0; i < size; i++) {
            within &= Tally.covers(most, tallies[i]);
        }
        if (within) {
            return this;
        }
        Frontier bounded = empty();
        for (int i = 0; i < size; i++) {
            bounded.add(Tally.min(tallies[i], most));
        }
        return bounded;
    }

    boolean covers(long tally) {
        for (int i = 0; i < size; i++) {
            if (Tally.covers(tallies[i], tally)) {
                return true;
            }
        }
        return false;
    }

    boolean coversAll(Frontier other) {
        for (int i = 0; i < other.size; i++) {
            if (!covers(other.tallies[i])) {
                return false;
            }
        }
        return true;
    }

    boolean isNothing() {
        return size == 1 && tallies[0] == Tally.NOTHING;
    }

    /** The most that there is of each kind, though maybe not together. */
    long most() {
        long most = Tally.NOTHING;
        for (int i = 0; i < size; i++) {
            most = Tally.max(most, tallies[i]);
        }
        return most;
    }

    int size() {
        return size;
    }
}
