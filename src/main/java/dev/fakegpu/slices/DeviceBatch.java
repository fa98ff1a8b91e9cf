package dev.fakegpu.slices;

import dev.fakegpu.dra.Device;
import java.util.ArrayList;
import java.util.List;

/**
 * The devices of one slice while it fills up. Counting is enough: devices at the limits that are counted here and in
 * {@code dev.fakegpu.inventory} make an object of 1.1 MB at most (KEP-5234 works it out), and etcd takes 1.5 MiB.
 */
final class DeviceBatch {

    private static final int MAX_DEVICES = 128;
    private static final int MAX_DEVICES_WITH_TAINTS_OR_COUNTERS = 64;

    /** KEP-5234 counts on it for the size of the object; validation in Kubernetes 1.37 bounds each device only. */
    private static final int MAX_CONSUMED_COUNTERS = 2048;

    private final List<Device> devices = new ArrayList<>();
    private int consumedCounters;
    private boolean taintsOrCounters;

    /** Cuts a list into slices, each as long as the API allows, keeping the order. */
    static List<List<Device>> split(List<Device> devices) {
        var slices = new ArrayList<List<Device>>();
        var batch = new DeviceBatch();
        for (Device device : devices) {
            if (!batch.accepts(device)) {
                slices.add(List.copyOf(batch.devices));
                batch = new DeviceBatch();
            }
            batch.add(device);
        }
        if (!batch.devices.isEmpty()) {
            slices.add(List.copyOf(batch.devices));
        }
        return slices;
    }

    private boolean accepts(Device device) {
        boolean limited = taintsOrCounters || hasTaintsOrCounters(device);
        int maxDevices = limited ? MAX_DEVICES_WITH_TAINTS_OR_COUNTERS : MAX_DEVICES;
        return devices.size() < maxDevices && consumedCounters + consumedCounters(device) <= MAX_CONSUMED_COUNTERS;
    }

    private void add(Device device) {
        devices.add(device);
        consumedCounters += consumedCounters(device);
        taintsOrCounters |= hasTaintsOrCounters(device);
    }

    private static boolean hasTaintsOrCounters(Device device) {
        return !device.taints().isEmpty() || !device.consumesCounters().isEmpty();
    }

    private static int consumedCounters(Device device) {
        return device.consumesCounters().stream()
                .mapToInt(consumption -> consumption.counters().size())
                .sum();
    }
}
