package dev.fakegpu.hardware.slices;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the devices of one slice until it is full. Limiting the number of devices is not enough: 64 devices of the maximum
 * size (taints, node selectors, request policies, lists) exceed etcd's limit of 1.5 MiB.
 */
final class DeviceBatch {

    private static final int MAX_DEVICES = 128;
    private static final int MAX_DEVICES_WITH_ADVANCED_FEATURES = 64;

    /** Below etcd's 1.5 MiB, to leave room for counter names and for what the API server adds. */
    private static final int MAX_BYTES = 1_000_000;

    /** A limit of KEP-5234 on the size of a slice; validation in Kubernetes 1.37 limits only single devices. */
    private static final int MAX_CONSUMED_COUNTERS = 2048;

    private final List<Device> devices = new ArrayList<>();
    private int consumedCounters;
    private int bytes;
    private boolean advanced;

    /** Splits a list into slices, each as long as the API allows, keeping the order. */
    static List<List<Device>> split(List<Device> devices) {
        var slices = new ArrayList<List<Device>>();
        var batch = new DeviceBatch();
        for (Device device : devices) {
            int size = DeviceSize.of(device);
            if (!batch.accepts(device, size)) {
                slices.add(List.copyOf(batch.devices));
                batch = new DeviceBatch();
            }
            batch.add(device, size);
        }
        if (!batch.devices.isEmpty()) {
            slices.add(List.copyOf(batch.devices));
        }
        return slices;
    }

    private boolean accepts(Device device, int size) {
        int maxDevices = advanced || isAdvanced(device) ? MAX_DEVICES_WITH_ADVANCED_FEATURES : MAX_DEVICES;
        return devices.isEmpty()
                || devices.size() < maxDevices
                        && consumedCounters + consumedCounters(device) <= MAX_CONSUMED_COUNTERS
                        && bytes + size <= MAX_BYTES;
    }

    private void add(Device device, int size) {
        devices.add(device);
        consumedCounters += consumedCounters(device);
        bytes += size;
        advanced |= isAdvanced(device);
    }

    private static boolean isAdvanced(Device device) {
        return !device.taints().isEmpty()
                || !device.consumesCounters().isEmpty()
                || device.attributes().values().stream().anyMatch(AttributeValue.ListValue.class::isInstance);
    }

    private static int consumedCounters(Device device) {
        return device.consumesCounters().stream()
                .mapToInt(consumption -> consumption.counters().size())
                .sum();
    }
}
