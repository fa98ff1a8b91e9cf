package dev.fakegpu.operator.prepare;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.util.Sha256;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The names of a device, or of a share of one, inside a container: its CDI device (cncf-tags/container-device-interface SPEC.md), whose
 * kind is {@code k8s.<driver>/claim} as with NVIDIA's driver, and its environment variables.
 *
 * @param shareId the share of the device; null if the device is not shared
 * @param withPool whether the names include the pool, because another pool on the node, of any driver, has a device with this name, and a
 *     container may have both
 */
public record ContainerDevice(DeviceId id, @Nullable String shareId, boolean withPool) {

    private static final int HASH = 8;

    /** A device on a node where no other device has its name. */
    public ContainerDevice(DeviceId id, @Nullable String shareId) {
        this(id, shareId, false);
    }

    /** The CDI kind of all devices of a driver. */
    public static String cdiKind(String driver) {
        return "k8s." + driver + "/claim";
    }

    /** The name of the device in variables; names of pools are too long for variables and may contain slashes. */
    String name() {
        return withPool
                ? id.device() + "-"
                        + Sha256.hex(id.poolId().toString().getBytes(UTF_8)).substring(0, HASH)
                : id.device();
    }

    /**
     * A label that is valid as part of a file name and of a CDI device name. It is unique on the node, except that other claims of the same
     * device have the same label.
     */
    public String label() {
        return shareOf(name());
    }

    private String shareOf(String name) {
        return shareId == null ? name : name + "-" + shareId;
    }

    /** The device's name inside its CDI file. */
    public String cdiName(String claimUid) {
        return claimUid + "-" + label();
    }

    /** The qualified name that the kubelet passes to the container runtime: {@code vendor/class=device}. */
    public String cdiId(String claimUid) {
        return cdiKind(id.driver()) + "=" + cdiName(claimUid);
    }

    /**
     * The device's UUID in containers, in {@code nvidia-smi} and in the claim's status: the published UUID. For a device without one, such
     * as a dynamic MIG device or a vGPU, it is derived from the name, so that it is stable.
     */
    public String uuid(Device device) {
        return device.text("uuid")
                .orElseGet(() ->
                        (device.text("type").filter("mig"::equals).isPresent() ? "MIG-" : "GPU-") + derivedUuid());
    }

    /**
     * The container's environment variables, in order. Their names contain that of the device, so that devices do not overwrite each
     * other's variables.
     *
     * @param settings the claim's configuration of the device, as suffixes of variable names and their values
     */
    public Map<String, String> env(Device device, Map<String, String> settings) {
        String variable = "FAKEGPU_DEVICE_" + label().toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
        var env = new LinkedHashMap<String, String>();
        env.put(variable, uuid(device));
        settings.keySet().stream().sorted().forEach(name -> env.put(variable + "_" + name, settings.get(name)));
        return env;
    }

    private UUID derivedUuid() {
        return UUID.nameUUIDFromBytes((id + "/" + shareOf(id.device())).getBytes(UTF_8));
    }
}
