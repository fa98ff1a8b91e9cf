package dev.fakegpu.dra;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a device is in its node, by attributes that drivers agree on.
 *
 * @param numaNode null if the device has none, or is at several
 * @param root the PCIe root, such as {@code pci0000:15}; empty if the device hangs at none itself, as CPUs, which list several
 */
public record DevicePlace(@Nullable Integer numaNode, String root) {

    /** The others are those of drivers which are older than the first one. */
    private static final List<String> NUMA_NODE =
            List.of("resource.kubernetes.io/numaNode", "dra.net/numaNode", "dra.cpu/numaNodeID");

    private static final String ROOT = "resource.kubernetes.io/pcieRoot";

    public static DevicePlace of(Device device) {
        Integer numaNode = NUMA_NODE.stream()
                .flatMap(name -> device.text(name).stream())
                .filter(text -> text.matches("\\[?[0-9]{1,4}]?"))
                .map(text -> Integer.valueOf(text.replaceAll("[\\[\\]]", "")))
                .findFirst()
                .orElse(null);
        return new DevicePlace(
                numaNode,
                device.text(ROOT).filter(text -> !text.startsWith("[")).orElse(""));
    }
}
