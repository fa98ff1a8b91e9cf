package dev.fakegpu.hardware.inventory;

import dev.fakegpu.dra.Device;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    /** A list of one number is the number. */
    private static final Pattern NUMBER = Pattern.compile("\\[?([0-9]{1,4})]?");

    public static DevicePlace of(Device device) {
        Integer numaNode = NUMA_NODE.stream()
                .flatMap(name -> device.text(name).stream())
                .map(NUMBER::matcher)
                .filter(Matcher::matches)
                .map(number -> Integer.valueOf(number.group(1)))
                .findFirst()
                .orElse(null);
        return new DevicePlace(
                numaNode,
                device.text(ROOT).filter(text -> !text.startsWith("[")).orElse(""));
    }
}
