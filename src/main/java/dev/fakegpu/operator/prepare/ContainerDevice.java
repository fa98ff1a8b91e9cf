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
 * Names of a device, or of a share of one, inside a container: its CDI device (cncf-tags/container-device-interface SPEC.md), of the kind
 * {@code k8s.<driver>/claim} as with NVIDIA's driver, and its environment variables.
 *
 * @param shareId the share of the device; null if the device is not shared
 * @param withPool whether the names also say which pool the device is of, because another pool on the node, of any driver, has a device of
 *     this name: a container may have both
 */
public record ContainerDevice(DeviceId id, @Nullable String shareId, boolean withPool) {

    private static final int HASH = 8;

    /** Of a node where no other device has the name. */
    public ContainerDevice(DeviceId id, @Nullable String shareId) {
        this(id, shareId, false);
    }

    /** The CDI kind of all devices of a driver. */
    public static String cdiKind(String driver) {
        return "k8s." + driver + "/claim";
    }

    /** The device's name; names of pools are too long for variables and may have slashes. */
    String name() {
        return withPool
                ? id.device() + "-"
                        + Sha256.hex(id.poolId().toString().getBytes(UTF_8)).substring(0, HASH)
                : id.device();
    }

    /** Unique on the node but for other claims of the same device, and valid as part of a file name and of a CDI device name. */
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
     * The UUID that containers, {@code nvidia-smi} and the claim's status have of the device: the one that is published. A device without
     * any, such as a dynamic MIG device or a vGPU, has one that is derived from its name, so that it is stable.
     */
    public String uuid(Device device) {
        return device.text("uuid")
                .orElseGet(() ->
                        (device.text("type").filter("mig"::equals).isPresent() ? "MIG-" : "GPU-") + derivedUuid());
    }

    /**
     * The container's environment variables, in order. Their names contain the device's, so that devices do not overwrite each other's.
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
