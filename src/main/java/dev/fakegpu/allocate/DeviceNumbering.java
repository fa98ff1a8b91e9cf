package dev.fakegpu.allocate;

/** The devices of a node under one numbering, in which every pool begins with a new word. */
record DeviceNumbering(NodePools pools, int[] firstWord, int words) {

    static DeviceNumbering of(NodePools pools) {
        var firstWord = new int[pools.pools().size()];
        int words = 0;
        for (int pool = 0; pool < firstWord.length; pool++) {
            firstWord[pool] = words;
            if (pools.pools().get(pool) instanceof Pool.Usable usable) {
                words += Bits.words(usable.devices().size());
            }
        }
        return new DeviceNumbering(pools, firstWord, words);
    }

    int number(int pool, int device) {
        return (firstWord[pool] << 6) + device;
    }

    /** Those in both sets that nobody has whole. */
    int countFree(long[] a, long[] b, PartialAllocation attempt) {
        int count = 0;
        for (int pool = 0; pool < firstWord.length; pool++) {
            if (pools.pools().get(pool) instanceof Pool.Usable usable) {
                for (int word = 0; word < Bits.words(usable.devices().size()); word++) {
                    long devices = a[firstWord[pool] + word] & b[firstWord[pool] + word];
                    if (devices != 0) {
                        count += Long.bitCount(devices & ~attempt.books(pool).busy(word));
                    }
                }
            }
        }
        return count;
    }
}
