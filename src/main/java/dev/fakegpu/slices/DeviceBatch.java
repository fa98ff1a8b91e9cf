package dev.fakegpu.slices;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import java.util.ArrayList;
import java.util.List;

/**
 * The devices of one slice while it fills up. Counting alone would not do: 64 devices with everything that a single one may have
 * (taints, node selectors, request policies, lists) make more than the 1.5 MiB that etcd takes.
 */
final class DeviceBatch {

    private static final int MAX_DEVICES = 128;
    private static final int MAX_DEVICES_WITH_ADVANCED_FEATURES = 64;

    /** Leaves room for counter names, which etcd's 1.5 MiB have to hold as well, and for what the API server adds. */
    private static final int MAX_BYTES = 1_000_000;

    /** KEP-5234 counts on it for the size of the object; validation in Kubernetes 1.37 bounds each device only. */
    private static final int MAX_CONSUMED_COUNTERS = 2048;

    private final List<Device> devices = new ArrayList<>();
    private int consumedCounters;
    private int bytes;
    private boolean advanced;

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
        int maxDevices = advanced || isAdvanced(device) ? MAX_DEVICES_WITH_ADVANCED_FEATURES : MAX_DEVICES;
        return devices.isEmpty()
                || devices.size() < maxDevices
                        && consumedCounters + consumedCounters(device) <= MAX_CONSUMED_COUNTERS
                        && bytes + DeviceSize.of(device) <= MAX_BYTES;
    }

    private void add(Device device) {
        devices.add(device);
        consumedCounters += consumedCounters(device);
        bytes += DeviceSize.of(device);
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
