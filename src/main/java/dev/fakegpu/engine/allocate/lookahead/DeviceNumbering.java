package dev.fakegpu.engine.allocate.lookahead;

/** Numbers all devices of a node. The numbers of each pool begin with a new 64-bit word. Immutable. */
public final class DeviceNumbering {

    private final int[] devices;
    private final int[] firstWord;
    private final int words;

    /** @param devicesOfPools the number of devices of each pool; 0 for a pool that cannot be used */
    public DeviceNumbering(int[] devicesOfPools) {
        devices = devicesOfPools.clone();
        firstWord = new int[devices.length];
        int next = 0;
        for (int pool = 0; pool < devices.length; pool++) {
            firstWord[pool] = next;
            next += wordsOf(pool);
        }
        words = next;
    }

    public int pools() {
        return devices.length;
    }

    /** The number of devices of a pool. */
    public int devices(int pool) {
        return devices[pool];
    }

    public int number(int pool, int device) {
        return (firstWord[pool] << 6) + device;
    }

    int firstWord(int pool) {
        return firstWord[pool];
    }

    int wordsOf(int pool) {
        return (devices[pool] + Long.SIZE - 1) >>> 6;
    }

    int words() {
        return words;
    }
}
