package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.hardware.inventory.field.Problems;

/** Checks devices as they are published against the API server's limits for a single device (Kubernetes 1.37). */
final class InventoryCheck {

    private InventoryCheck() {}

    /** @param inventory the devices with the taints of all nodes */
    static void check(Inventory inventory, FakeGpuSpec spec, Problems problems) {
        RepeatedHardware custom = spec.custom() == null ? null : RepeatedHardware.of(spec.custom());
        for (int i = 0; i < inventory.devices().size() && problems.count() == 0; i++) {
            String field = custom == null ? "spec" : custom.deviceField(i);
            check(field, inventory.devices().get(i), spec, problems);
        }
    }

    private static void check(String field, Device device, FakeGpuSpec spec, Problems problems) {
        problems.ifMoreThan(
                Limits.ATTRIBUTES_AND_CAPACITIES,
                device.attributes().size() + device.capacity().size(),
                spec.attributes().isEmpty() ? field : "spec.attributes",
                "attributes and capacities together on device " + device.name());
        problems.ifMoreThan(
                Limits.ATTRIBUTE_VALUES,
                device.attributes().values().stream()
                        .mapToInt(InventoryCheck::values)
                        .sum(),
                (spec.custom() == null ? "spec" : field) + ".attributes",
                "attribute values on device " + device.name());
        int allocatorTaints = spec.allocator() == FakeGpuSpec.AllocatorName.Companion ? 1 : 0;
        problems.ifMoreThan(
                Limits.TAINTS - allocatorTaints,
                device.taints().size(),
                taintsField(field, spec),
                "taints on device " + device.name()
                        + (allocatorTaints == 0 ? "" : " beside that of allocator Companion"));
    }

    private static String taintsField(String field, FakeGpuSpec spec) {
        if (spec.faults().stream().anyMatch(TimedFaults::isTimed)) {
            return "spec.faults";
        }
        return spec.taints().isEmpty() && spec.health().isEmpty() ? field + ".taints" : "spec.taints";
    }

    private static int values(AttributeValue value) {
        return value instanceof AttributeValue.ListValue list ? list.values().size() : 1;
    }
}
