package dev.fakegpu.engine.allocate.lookahead;

/**
 * The number of devices of each of up to eight kinds, as the bytes of one {@code long}. Thousands of them can be kept, and comparing two
 * takes one operation.
 */
final class KindCounts {

    static final int KINDS = 8;
    static final int MAX = 127;
    static final long NOTHING = 0;

    private static final long BYTE = 0xFF;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private KindCounts() {}

    static int get(long counts, int kind) {
        return (int) (counts >>> (kind << 3) & BYTE);
    }

    static long with(long counts, int kind, int count) {
        int shift = kind << 3;
        return counts & ~(BYTE << shift) | (long) Math.min(count, MAX) << shift;
    }

    /** One bit for each kind with at least one device. */
    static int nonZeroKinds(long counts) {
        int kinds = 0;
        for (int kind = 0; kind < KINDS; kind++) {
            if (get(counts, kind) > 0) {
                kinds |= 1 << kind;
            }
        }
        return kinds;
    }

    static long one(int kind) {
        return 1L << (kind << 3);
    }

    /** The sum of both, limited to {@code most} of each kind. */
    static long plus(long a, long b, long most) {
        return min(a + b, most);
    }

    /** The smaller number of each kind. The arguments can be sums of two counts. */
    static long min(long a, long b) {
        long takeA = (b | HIGH_BITS) - (a & ~HIGH_BITS) & HIGH_BITS & ~(a & HIGH_BITS);
        long mask = (takeA >>> 7) * BYTE;
        return a & mask | b & ~mask;
    }

    static long max(long a, long b) {
        return a + b - min(a, b);
    }

    /** Whether {@code a} has at least as many of every kind. */
    static boolean covers(long a, long b) {
        return ((a | HIGH_BITS) - b & HIGH_BITS) == HIGH_BITS;
    }
}
