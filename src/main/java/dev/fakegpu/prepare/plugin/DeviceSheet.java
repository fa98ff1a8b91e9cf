package dev.fakegpu.prepare.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import java.util.Optional;
import java.util.UUID;

/**
 * What a container can read about a device of its own: a file with {@code name=value} lines, of which {@code nvidia-smi} makes what
 * people expect to see.
 */
final class DeviceSheet {

    private final ClaimRef claim;
    private final PreparedResult result;
    private final Device device;

    DeviceSheet(ClaimRef claim, PreparedResult result, Device device) {
        this.claim = claim;
        this.result = result;
        this.device = device;
    }

    /**
     * As NVML prints it: a GPU's own; for a part of one, which the slices give none, one that follows from where it is, so that it
     * is the same each time.
     */
    String uuid() {
        return switch (attribute("type").orElse("")) {
            case "gpu" -> attribute("uuid").orElseGet(() -> "GPU-" + derivedUuid());
            case "mig" -> "MIG-" + derivedUuid();
            default -> "GPU-" + derivedUuid();
        };
    }

    String text() {
        var text = new StringBuilder();
        DeviceId id = result.id();
        line(text, "driver", id.driver());
        line(text, "pool", id.pool());
        line(text, "device", id.device());
        if (result.shareId() != null) {
            line(text, "shareID", result.shareId());
        }
        line(text, "uuid", uuid());
        line(text, "claim", claim.toString());
        line(text, "requests", String.join(",", result.requests()));
        device.attributes().forEach((name, value) -> line(text, "attribute." + name, value.toString()));
        device.capacity()
                .forEach((name, capacity) ->
                        line(text, "capacity." + name, capacity.value().toString()));
        return text.toString();
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(name)
                .append('=')
                .append(value.replaceAll("\\p{Cntrl}", " "))
                .append('\n');
    }

    private Optional<String> attribute(String name) {
        return Optional.ofNullable(device.attributes().get(name)).map(AttributeValue::toString);
    }

    private UUID derivedUuid() {
        return UUID.nameUUIDFromBytes((result.id() + "/" + result.label()).getBytes(UTF_8));
    }
}
