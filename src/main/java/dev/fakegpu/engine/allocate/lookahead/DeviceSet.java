package dev.fakegpu.engine.allocate.lookahead;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.IntConsumer;

/** A set of a node's devices, with one bit for each. */
public final class DeviceSet {

    private final DeviceNumbering numbering;
    private final long[] words;

    /** An empty set. */
    public DeviceSet(DeviceNumbering numbering) {
        this(numbering, new long[numbering.words()]);
    }

    private DeviceSet(DeviceNumbering numbering, long[] words) {
        this.numbering = numbering;
        this.words = words;
    }

    static DeviceSet union(DeviceNumbering numbering, Collection<DeviceSet> sets) {
        var union = new DeviceSet(numbering);
        sets.forEach(union::addAll);
        return union;
    }

    public void add(int pool, int device) {
        add(numbering.number(pool, device));
    }

    void add(int number) {
        words[number >>> 6] |= 1L << number;
    }

    private void addAll(DeviceSet other) {
        for (int word = 0; word < words.length; word++) {
            words[word] |= other.words[word];
        }
    }

    public boolean contains(int pool, int device) {
        return contains(numbering.number(pool, device));
    }

    boolean contains(int number) {
        return (words[number >>> 6] & 1L << number) != 0;
    }

    DeviceSet and(DeviceSet other) {
        var both = words.clone();
        for (int word = 0; word < both.length; word++) {
            both[word] &= other.words[word];
        }
        return new DeviceSet(numbering, both);
    }

    DeviceSet or(DeviceSet other) {
        var either = new DeviceSet(numbering, words.clone());
        either.addAll(other);
        return either;
    }

    void forEach(IntConsumer numbers) {
        for (int word = 0; word < words.length; word++) {
            for (long rest = words[word]; rest != 0; rest &= rest - 1) {
                numbers.accept((word << 6) + Long.numberOfTrailingZeros(rest));
            }
        }
    }

    boolean hasSameDevicesAs(DeviceSet other) {
        return Arrays.equals(words, other.words);
    }

    int countFree(SearchState state) {
        return countFree(this, state);
    }

    /** The number of devices in both sets that are not allocated as a whole. */
    int countFree(DeviceSet other, SearchState state) {
        int count = 0;
        for (int pool = 0; pool < numbering.pools(); pool++) {
            int first = numbering.firstWord(pool);
            for (int word = 0; word < numbering.wordsOf(pool); word++) {
                long devices = words[first + word] & other.words[first + word];
                if (devices != 0) {
                    count += Long.bitCount(devices & ~state.busy(pool, word));
                }
            }
        }
        return count;
    }
}
