package dev.fakegpu.engine.allocate.pool;

/** Sets of small numbers as arrays of words, where {@link java.util.BitSet} would hide the words. */
public final class Bits {
    private Bits() {}

    public static int words(int size) {
        return (size + Long.SIZE - 1) >>> 6;
    }

    static boolean get(long[] words, int bit) {
        return (words[bit >>> 6] & 1L << bit) != 0;
    }

    static void set(long[] words, int bit) {
        words[bit >>> 6] |= 1L << bit;
    }

    static void clear(long[] words, int bit) {
        words[bit >>> 6] &= ~(1L << bit);
    }
}
