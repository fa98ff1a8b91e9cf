package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.hardware.catalog.TemplateModel;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Map;

/** Creates the devices of a template model: those of each unit, with the values that differ between units. */
final class TemplateInventory {
    private TemplateInventory() {}

    static Inventory of(TemplateModel model, FakeGpuSpec spec, String fakeGpuName, String nodeName) {
        var counterSets = new ArrayList<CounterSet>();
        var devices = new ArrayList<Device>();
        for (int unit = 0; unit < spec.gpusPerNode(); unit++) {
            var mixed = CustomInventory.mixed(
                    model.template().hardware(), values(model, spec, fakeGpuName, nodeName, unit));
            counterSets.addAll(mixed.flatCounterSets());
            devices.addAll(mixed.flatDevices());
        }
        return new Inventory(spec.gpusPerNode(), counterSets, devices);
    }

    /** The values of the placeholders in the devices of a unit. */
    static Map<String, String> values(
            TemplateModel model, FakeGpuSpec spec, String fakeGpuName, String nodeName, int unit) {
        int units = spec.gpusPerNode();
        var identity =
                GpuIdentity.of(model.template().kind(), nodeName, fakeGpuName, unit, units, spec.topologyOrDefault());
        String uuid = identity.uuid().substring("GPU-".length()).toLowerCase(Locale.ROOT);
        String[] address = identity.pciBusId().split("[:.]");
        return Map.of(
                "unit", String.valueOf(unit),
                "units", String.valueOf(units),
                "uuid", uuid,
                "id", String.valueOf(Long.parseLong(uuid.substring(0, 8), 16)),
                // A locally administered address. It does not include the last byte, which tells functions apart.
                "mac",
                        "02:%s:%s:%s:%s"
                                .formatted(
                                        uuid.substring(0, 2),
                                        uuid.substring(2, 4),
                                        uuid.substring(4, 6),
                                        uuid.substring(6, 8)),
                "domain", address[0],
                "bus", address[1],
                "root", identity.pcieRoot(),
                "rootBus", identity.pcieRoot().replaceFirst(".*:", ""),
                "numa", String.valueOf(identity.numaNode()));
    }
}
