package dev.fakegpu.engine.allocate.pool;

import java.util.Arrays;

/** Sets of small numbers as arrays of words, where {@link java.util.BitSet} would hide the words. */
public final class Bits {
    private Bits() {}

    public static int words(int size) {
        return (size + Long.SIZE - 1) >>> 6;
    }

    /** The numbers that are less than this one. */
    static long[] first(int size) {
        var words = new long[words(size)];
        Arrays.fill(words, -1L);
        if (words.length > 0) {
            words[words.length - 1] >>>= -size;
        }
        return words;
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
