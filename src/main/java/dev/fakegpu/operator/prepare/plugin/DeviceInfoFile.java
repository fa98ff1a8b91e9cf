package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.operator.prepare.smi.SmiAnswers;
import dev.fakegpu.util.SafeText;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A file in containers that describes one device in {@code name=value} lines. Another file next to it has the answers of {@code nvidia-smi}
 * for the device ({@link SmiAnswers}).
 */
final class DeviceInfoFile {

    private final ClaimRef claim;
    private final PreparedResult result;
    private final Device device;
    private final Map<String, String> readings;

    /** @param readings what NVML tells about the device */
    DeviceInfoFile(ClaimRef claim, PreparedResult result, Device device, Map<String, String> readings) {
        this.claim = claim;
        this.result = result;
        this.device = device;
        this.readings = readings;
    }

    String text() {
        var text = new StringBuilder();
        lines().forEach((name, value) ->
                text.append(name).append('=').append(value).append('\n'));
        return text.toString();
    }

    /** The answers of nvidia-smi for the device, which are derived from the same lines. */
    String answers() {
        return SmiAnswers.text(lines());
    }

    private Map<String, String> lines() {
        var lines = new LinkedHashMap<String, String>();
        DeviceId id = result.container().id();
        put(lines, "driver", id.driver());
        put(lines, "pool", id.pool());
        put(lines, "device", id.device());
        if (result.shareId() != null) {
            put(lines, "shareID", result.shareId());
        }
        put(lines, "uuid", result.container().uuid(device));
        put(lines, "claim", claim.toString());
        put(lines, "requests", String.join(",", result.requests()));
        device.attributes().forEach((name, value) -> put(lines, "attribute." + name, value.toString()));
        device.capacity()
                .forEach((name, capacity) ->
                        put(lines, "capacity." + name, capacity.value().toString()));
        readings.forEach((name, value) -> put(lines, "nvml." + name, value));
        return lines;
    }

    private static void put(Map<String, String> lines, String name, String value) {
        lines.put(name, SafeText.of(value, SafeText.CONDITION_MESSAGE));
    }
}
