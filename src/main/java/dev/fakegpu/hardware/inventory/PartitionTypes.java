package dev.fakegpu.hardware.inventory;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.hardware.inventory.field.Problems;
import dev.fakegpu.util.Suggestion;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The attribute that identifies the kind of partition of a device (slice field {@code partitionTypeAttribute}). */
public final class PartitionTypes {
    private PartitionTypes() {}

    /** The name with a domain, as slices need it. The default domain is the driver's. */
    public static String qualified(String name, String driver) {
        return name.indexOf('/') < 0 ? driver + "/" + name : name;
    }

    /**
     * Applies {@code validatePartitionTypeAttribute} of Kubernetes 1.37: every device that consumes counters must have the attribute, as a
     * string.
     */
    static void check(String written, String driver, Inventory inventory, Problems problems) {
        Device lacking = null;
        boolean any = false;
        Set<String> candidates = new TreeSet<>();
        for (Device device : inventory.devices()) {
            if (!device.consumesCounters().isEmpty()) {
                any = true;
                candidates.addAll(strings(device));
                if (lacking == null && !(value(device, written, driver) instanceof AttributeValue.StringValue)) {
                    lacking = device;
                }
            }
        }
        if (!any) {
            problems.add(
                    "spec.partitionTypeAttribute",
                    written,
                    "says nothing, for no device consumes counters",
                    "devices that consume counters, or no partitionTypeAttribute");
        } else if (lacking != null) {
            problems.add(
                    "spec.partitionTypeAttribute",
                    written,
                    "is not a string attribute of device " + lacking.name() + Suggestion.hint(written, candidates),
                    "an attribute that every device which consumes counters has as a string, for example "
                            + Problems.oneOf(strings(lacking), "type, once the devices have it"));
        }
    }

    private static Set<String> strings(Device device) {
        Set<String> names = new TreeSet<>();
        device.attributes().forEach((name, value) -> {
            if (value instanceof AttributeValue.StringValue) {
                names.add(name);
            }
        });
        return names;
    }

    private static @Nullable AttributeValue value(Device device, String written, String driver) {
        String qualified = qualified(written, driver);
        AttributeValue explicit = device.attributes().get(qualified);
        return explicit == null && qualified.startsWith(driver + "/")
                ? device.attributes().get(qualified.substring(driver.length() + 1))
                : explicit;
    }
}
