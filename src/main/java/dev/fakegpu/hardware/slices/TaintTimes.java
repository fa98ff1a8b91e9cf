package dev.fakegpu.hardware.slices;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.Slice;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Preserves the time at which a taint was first stored. Otherwise each write would add a new taint from the API server's point of view, and
 * tolerationSeconds would start over. The ResourceSlice controller of {@code k8s.io/dynamic-resource-allocation} does the same.
 */
final class TaintTimes {

    private final Map<String, List<DeviceTaint>> stored = new HashMap<>();

    private TaintTimes(List<Slice> stored) {
        stored.forEach(slice -> slice.devices().forEach(device -> this.stored.put(device.name(), device.taints())));
    }

    /** The desired slices. A taint without a time gets the time of the stored taint with the same key, value and effect. */
    static List<Slice> keep(List<Slice> desired, List<Slice> stored) {
        var times = new TaintTimes(stored);
        return desired.stream()
                .map(slice -> slice.devices().stream()
                                .allMatch(device -> device.taints().isEmpty())
                        ? slice
                        : slice.withDevices(
                                slice.devices().stream().map(times::keep).toList()))
                .toList();
    }

    private Device keep(Device device) {
        if (device.taints().isEmpty()) {
            return device;
        }
        List<DeviceTaint> before = stored.getOrDefault(device.name(), List.of());
        List<DeviceTaint> taints = device.taints().stream()
                .map(taint -> taint.timeAdded() == null ? known(before, taint) : taint)
                .toList();
        // Uses the same object, so that comparing the two is fast.
        return device.withTaints(taints.equals(before) ? before : taints);
    }

    private static DeviceTaint known(List<DeviceTaint> stored, DeviceTaint taint) {
        for (DeviceTaint known : stored) {
            if (known.addedAt(null).equals(taint)) {
                return known;
            }
        }
        return taint;
    }
}
