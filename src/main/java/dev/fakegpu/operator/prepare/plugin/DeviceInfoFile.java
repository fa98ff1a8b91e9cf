package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.util.SafeText;
import java.util.Map;

/**
 * A file in the container that describes one of its devices in {@code name=value} lines. The {@code nvidia-smi} script prints them in the
 * format of NVIDIA's tool.
 */
final class DeviceInfoFile {

    private final ClaimRef claim;
    private final PreparedResult result;
    private final Device device;
    private final Map<String, String> readings;

    /** @param readings what NVML says of the device */
    DeviceInfoFile(ClaimRef claim, PreparedResult result, Device device, Map<String, String> readings) {
        this.claim = claim;
        this.result = result;
        this.device = device;
        this.readings = readings;
    }

    String text() {
        var text = new StringBuilder();
        DeviceId id = result.containerDevice();
        line(text, "driver", id.driver());
        line(text, "pool", id.pool());
        line(text, "device", id.device());
        if (result.shareId() != null) {
            line(text, "shareID", result.shareId());
        }
        line(text, "uuid", result.container().uuid(device));
        line(text, "claim", claim.toString());
        line(text, "requests", String.join(",", result.requests()));
        device.attributes().forEach((name, value) -> line(text, "attribute." + name, value.toString()));
        device.capacity()
                .forEach((name, capacity) ->
                        line(text, "capacity." + name, capacity.value().toString()));
        readings.forEach((name, value) -> line(text, "nvml." + name, value));
        return text.toString();
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(name)
                .append('=')
                .append(SafeText.of(value, SafeText.CONDITION_MESSAGE))
                .append('\n');
    }
}
