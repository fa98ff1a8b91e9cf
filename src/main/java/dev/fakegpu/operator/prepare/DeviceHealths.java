package dev.fakegpu.operator.prepare;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.Slice;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Derives the health of devices from their taints. NVIDIA's driver publishes health as these taints, and so do FakeGpus. */
public final class DeviceHealths {

    /** The maximum length that the kubelet accepts. */
    private static final int MAX_MESSAGE = 1024;

    private DeviceHealths() {}

    /** The states of KEP-4680. */
    public enum State {
        HEALTHY,
        UNHEALTHY,
        UNKNOWN
    }

    public record Health(State state, String message) {
        public static final Health GOOD = new Health(State.HEALTHY, "");

        /** The health of a device that is not published. */
        public static final Health UNKNOWN = new Health(State.UNKNOWN, "");
    }

    /** All devices of the slices, sorted by pool and name. */
    public static Map<DeviceId, Health> of(Collection<Slice> slices) {
        var healths = new TreeMap<DeviceId, Health>(
                Comparator.comparing(DeviceId::poolId).thenComparing(DeviceId::device));
        for (Slice slice : slices) {
            slice.devices()
                    .forEach(device -> healths.put(
                            slice.pool().device(device.name()),
                            health(slice.pool().driver(), device)));
        }
        return healths;
    }

    private static Health health(String driver, Device device) {
        if (device.taints().isEmpty()) {
            return Health.GOOD;
        }
        return first(device, driver + "/gpu-lost")
                .or(() -> first(device, driver + "/xid"))
                .map(taint -> new Health(State.UNHEALTHY, message(taint)))
                .or(() ->
                        first(device, driver + "/unmonitored").map(taint -> new Health(State.UNKNOWN, message(taint))))
                .orElse(Health.GOOD);
    }

    private static Optional<DeviceTaint> first(Device device, String key) {
        return device.taints().stream().filter(taint -> taint.key().equals(key)).findFirst();
    }

    private static String message(DeviceTaint taint) {
        String message = "tainted " + taint;
        return message.length() <= MAX_MESSAGE ? message : message.substring(0, MAX_MESSAGE);
    }
}
