package dev.fakegpu.prepare.plugin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.prepare.ContainerDevice;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The CDI spec of a prepared claim (cncf-tags/container-device-interface SPEC.md): what the container runtime adds to a container that uses
 * the claim's devices. One file per claim with one CDI device per device, so that a container gets only the devices of its requests.
 */
final class CdiSpec {

    /** Directory in containers with one file per device. */
    static final String DEVICES = "/run/fakegpu/devices/";

    private static final String TOOL = "/usr/bin/nvidia-smi";

    /** The oldest CDI version with annotations. */
    private static final String VERSION = "0.6.0";

    private static final String PREPARED = "fakegpu.dev/prepared";
    private static final ObjectMapper JSON = new ObjectMapper();

    private CdiSpec() {}

    /** Prefix of the names of a driver's CDI files. */
    static String filePrefix(String driver) {
        return "k8s." + driver + "-claim_";
    }

    static String fileName(String driver, String claimUid) {
        return filePrefix(driver) + claimUid + ".json";
    }

    /**
     * Writes the spec as JSON.
     *
     * @param env environment variables by device label
     * @param infoFiles directory on the host with one {@link DeviceInfoFile} per device, named by its label
     * @param tool path of the script on the host
     */
    static String text(
            String driver, PreparedClaim claim, Map<String, Map<String, String>> env, Path infoFiles, Path tool) {
        ObjectNode root =
                JSON.createObjectNode().put("cdiVersion", VERSION).put("kind", ContainerDevice.cdiKind(driver));
        root.putObject("annotations").put(PREPARED, Checkpoint.encode(claim));
        ArrayNode devices = root.putArray("devices");
        for (PreparedResult result : claim.results()) {
            ObjectNode device = devices.addObject()
                    .put("name", result.container().cdiName(claim.claim().uid()));
            ObjectNode edits = device.putObject("containerEdits");
            ArrayNode variables = edits.putArray("env");
            env.getOrDefault(result.label(), Map.of()).forEach((name, value) -> variables.add(name + "=" + value));
            ArrayNode mounts = edits.putArray("mounts");
            mount(mounts, infoFiles.resolve(result.label()), DEVICES + result.label());
            mount(mounts, tool, TOOL);
        }
        try {
            return JSON.writer(new DefaultPrettyPrinter()).writeValueAsString(root) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree can always be written", e);
        }
    }

    /** The claim that the spec was written for; null if its annotation is missing or unreadable. */
    static @Nullable PreparedClaim read(String text) {
        try {
            JsonNode prepared = JSON.readTree(text).path("annotations").path(PREPARED);
            return prepared.isTextual() ? Checkpoint.decodeClaim(prepared.asText()) : null;
        } catch (JsonProcessingException | CorruptCheckpointException e) {
            return null;
        }
    }

    private static void mount(ArrayNode mounts, Path hostPath, String containerPath) {
        ObjectNode mount =
                mounts.addObject().put("hostPath", hostPath.toString()).put("containerPath", containerPath);
        mount.putArray("options").add("ro").add("nosuid").add("nodev").add("bind");
    }
}
