package dev.fakegpu.prepare;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a device, or a part of one, is called where a container gets it: its CDI device (cncf-tags/container-device-interface SPEC.md), of a
 * kind of its own as NVIDIA's driver has it ({@code k8s.<driver>/claim}), and its variables.
 *
 * @param shareId which part of the device, null where it is the whole one
 */
public record ContainerDevice(DeviceId id, @Nullable String shareId) {

    /** The CDI kind of all devices of a driver. */
    public static String cdiKind(String driver) {
        return "k8s." + driver + "/claim";
    }

    /** Unique in the claim, and valid as part of a file name and of a CDI device name. */
    public String label() {
        return shareId == null ? id.device() : id.device() + "-" + shareId;
    }

    /** The device's name inside of its CDI file. */
    public String cdiName(String claimUid) {
        return claimUid + "-" + label();
    }

    /** As the kubelet hands it to the container runtime: {@code vendor/class=device}. */
    public String cdiId(String claimUid) {
        return cdiKind(id.driver()) + "=" + cdiName(claimUid);
    }

    /**
     * As NVML prints it: a GPU's own; for a part of one, which the slices give none, one that follows from where it is, so that it
     * is the same each time.
     */
    public String uuid(Device device) {
        return switch (attribute(device, "type").orElse("")) {
            case "gpu" -> attribute(device, "uuid").orElseGet(() -> "GPU-" + derivedUuid());
            case "mig" -> "MIG-" + derivedUuid();
            default -> "GPU-" + derivedUuid();
        };
    }

    /**
     * The container's variables, in order. Each device has its own, since those of one name would overwrite each other.
     *
     * @param settings what the claim configures for the device, by name in capitals
     */
    public Map<String, String> env(Device device, Map<String, String> settings) {
        String variable = "FAKEGPU_DEVICE_" + label().toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
        var env = new LinkedHashMap<String, String>();
        env.put(variable, uuid(device));
        settings.keySet().stream().sorted().forEach(name -> env.put(variable + "_" + name, settings.get(name)));
        return env;
    }

    private static Optional<String> attribute(Device device, String name) {
        return Optional.ofNullable(device.attributes().get(name)).map(AttributeValue::toString);
    }

    private UUID derivedUuid() {
        return UUID.nameUUIDFromBytes((id + "/" + label()).getBytes(UTF_8));
    }
}
