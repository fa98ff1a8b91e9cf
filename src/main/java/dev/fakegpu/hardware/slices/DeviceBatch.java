package dev.fakegpu.hardware.slices;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Limits;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the devices of one slice until it is full. It limits the size as well as the number of devices: 64 devices of the maximum size
 * (taints, node selectors, request policies, lists) exceed etcd's limit of 1.5 MiB.
 */
final class DeviceBatch {

    /** Below etcd's 1.5 MiB, to leave room for counter names and for what the API server adds. */
    private static final int MAX_BYTES = 1_000_000;

    private final List<Device> devices = new ArrayList<>();
    private int consumedCounters;
    private int bytes;
    private boolean advanced;

    /** Splits a list of devices into slices, each as long as the API allows, in the same order. */
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
        int maxDevices = advanced || isAdvanced(device) ? Limits.DEVICES_WITH_ADVANCED_FEATURES : Limits.DEVICES;
        return devices.isEmpty()
                || devices.size() < maxDevices
                        && consumedCounters + consumedCounters(device) <= Limits.CONSUMED_COUNTERS_WRITTEN
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
