package dev.fakegpu.simulate;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Slice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** What slices say that kube-scheduler can count and a simulation does not. */
final class NotCounted {

    private static final int MAX_LISTED = 3;

    private NotCounted() {}

    /** One sentence for each driver. */
    static List<String> of(Collection<Slice> slices) {
        var byDriver = new TreeMap<String, TreeSet<String>>();
        var resources = new TreeSet<String>();
        for (Slice slice : slices) {
            for (Device device : slice.devices()) {
                if (!device.nodeAllocatableResources().isEmpty()) {
                    byDriver.computeIfAbsent(slice.pool().driver(), ignored -> new TreeSet<>())
                            .add(slice.pool().name() + "/" + device.name());
                    resources.addAll(device.nodeAllocatableResources().keySet());
                }
            }
        }
        return byDriver.entrySet().stream()
                .map(entry -> sentence(entry.getKey(), entry.getValue(), resources))
                .toList();
    }

    private static String sentence(String driver, Collection<String> devices, Collection<String> resources) {
        var listed = new ArrayList<>(devices.stream().limit(MAX_LISTED).toList());
        if (devices.size() > MAX_LISTED) {
            listed.add((devices.size() - MAX_LISTED) + " more");
        }
        return ("nodeAllocatableResources of driver %s are not counted (%s of %s): kube-scheduler takes them from the node, too, if its gate"
                        + " DRANodeAllocatableResources is on, and fewer pods fit then")
                .formatted(driver, String.join(", ", resources), String.join(", ", listed));
    }
}
