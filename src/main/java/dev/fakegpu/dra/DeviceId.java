package dev.fakegpu.dra;

/** Identifies a device in a cluster: driver, pool, and the device's name in the pool. */
public record DeviceId(String driver, String pool, String device) {

    public PoolId poolId() {
        return new PoolId(driver, pool);
    }

    @Override
    public String toString() {
        return driver + "/" + pool + "/" + device;
    }
}
