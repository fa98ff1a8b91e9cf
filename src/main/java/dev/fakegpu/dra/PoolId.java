package dev.fakegpu.dra;

import java.util.Comparator;

/** Identifies a pool in a cluster. Pools are ordered bytewise by driver, then by name; upstream tries them in this order. */
public record PoolId(String driver, String name) implements Comparable<PoolId> {

    private static final Comparator<PoolId> ORDER =
            Comparator.comparing(PoolId::driver).thenComparing(PoolId::name);

    public DeviceId device(String device) {
        return new DeviceId(driver, name, device);
    }

    @Override
    public int compareTo(PoolId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return driver + "/" + name;
    }
}
