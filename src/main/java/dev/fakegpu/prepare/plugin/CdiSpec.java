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
 * The Container Device Interface's description of a prepared claim (cncf-tags/container-device-interface SPEC.md): what the container
 * runtime adds to a container that uses its devices. One file for each claim, of a kind of its own, so that a container gets the devices of
 * its requests and no others.
 */
final class CdiSpec {

    /** Where containers find a file for each of their devices. */
    static final String DEVICES = "/run/fakegpu/devices/";

    private static final String TOOL = "/usr/bin/nvidia-smi";

    /** What annotations of a spec need. */
    private static final String VERSION = "0.6.0";

    private static final String PREPARED = "fakegpu.dev/prepared";
    private static final ObjectMapper JSON = new ObjectMapper();

    private CdiSpec() {}

    /** Of all the files of a driver. */
    static String filePrefix(String driver) {
        return "k8s." + driver + "-claim_";
    }

    static String fileName(String driver, String claimUid) {
        return filePrefix(driver) + claimUid + ".json";
    }

    /**
     * @param env the variables of the devices, by label
     * @param sheets directory on the host with a sheet for each device, named by its label
     * @param tool the script on the host
     */
    static String text(
            String driver, PreparedClaim claim, Map<String, Map<String, String>> env, Path sheets, Path tool) {
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
            mount(mounts, sheets.resolve(result.label()), DEVICES + result.label());
            mount(mounts, tool, TOOL);
        }
        try {
            return JSON.writer(new DefaultPrettyPrinter()).writeValueAsString(root) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree can always be written", e);
        }
    }

    /** The claim that a file was written for; null if it does not say. */
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
