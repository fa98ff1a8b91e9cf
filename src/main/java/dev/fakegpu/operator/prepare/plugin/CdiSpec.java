package dev.fakegpu.operator.prepare.plugin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.operator.prepare.ContainerDevice;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The CDI spec of a prepared claim (cncf-tags/container-device-interface SPEC.md): what the container runtime adds to a container that uses
 * the claim's devices. Each claim has one file with one CDI device per device, so that a container gets only the devices of its requests.
 */
final class CdiSpec {

    /** The directory in containers with one info file per device. */
    static final String DEVICES = "/run/fakegpu/devices/";

    /** The directory in containers with one file per device that has the answers of nvidia-smi. */
    static final String ANSWERS = "/run/fakegpu/nvidia-smi/";

    /** The directory for the pipes of the MPS control daemon, next to the info files; no device can have this name. */
    static final String MPS_PIPES = "mps.pipe";

    /** The oldest CDI version with annotations. */
    private static final String VERSION = "0.6.0";

    private static final String PREPARED = "fakegpu.dev/prepared";
    private static final ObjectMapper JSON = new ObjectMapper();

    private CdiSpec() {}

    /** The prefix of the names of a driver's CDI files. */
    static String filePrefix(String driver) {
        return "k8s." + driver + "-claim_";
    }

    /** The name of the file, next to a device's info file, with the answers of nvidia-smi; no device can have this name. */
    static String answersFile(String label) {
        return label + ".nvidia-smi";
    }

    static String fileName(String driver, String claimUid) {
        return filePrefix(driver) + claimUid + ".json";
    }

    /**
     * Encodes the spec as JSON.
     *
     * @param edits what is added to containers
     * @param infoFiles the directory on the host with one {@link DeviceInfoFile} per device, named by its label, its {@link #answersFile},
     *     and {@link #MPS_PIPES} if the edits have MPS
     * @param tool the path of the script on the host
     * @param metadata the metadata whose files are next to the info files
     */
    static String text(
            String driver,
            PreparedClaim claim,
            ContainerEdits edits,
            Path infoFiles,
            Path tool,
            ClaimMetadata metadata) {
        ObjectNode root =
                JSON.createObjectNode().put("cdiVersion", VERSION).put("kind", ContainerDevice.cdiKind(driver));
        root.putObject("annotations").put(PREPARED, Checkpoint.encode(claim));
        ArrayNode devices = root.putArray("devices");
        var withMetadata = new HashSet<String>();
        for (PreparedResult result : claim.results()) {
            ObjectNode device = devices.addObject()
                    .put("name", result.container().cdiName(claim.claim().uid()));
            var ofDevice = Objects.requireNonNull(edits.byLabel().get(result.label()));
            ArrayNode mounts = addDevice(device.putObject("containerEdits"), result.label(), ofDevice, infoFiles);
            // They are mounted with the first device of a request, as upstream does.
            result.requests().stream()
                    .filter(withMetadata::add)
                    .forEach(request -> mount(
                            mounts,
                            infoFiles.resolve(ClaimMetadata.fileName(request)),
                            metadata.containerPath(request)));
        }
        ObjectNode common = root.putObject("containerEdits");
        addEnv(common, edits.env());
        ArrayNode mounts = common.putArray("mounts");
        edits.tools().forEach(path -> mount(mounts, tool, path));
        try {
            return JSON.writer(new DefaultPrettyPrinter()).writeValueAsString(root) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree can always be written", e);
        }
    }

    /** Returns the device's mounts. */
    private static ArrayNode addDevice(ObjectNode node, String label, ContainerEdits.OfDevice edits, Path infoFiles) {
        addEnv(node, edits.env());
        ArrayNode mounts = node.putArray("mounts");
        mount(mounts, infoFiles.resolve(label), DEVICES + label);
        mount(mounts, infoFiles.resolve(answersFile(label)), ANSWERS + label);
        if (edits.mps()) {
            mount(mounts, infoFiles.resolve(MPS_PIPES), ContainerEdits.MPS_DIRECTORY);
        }
        return mounts;
    }

    private static void addEnv(ObjectNode node, Map<String, String> env) {
        if (!env.isEmpty()) {
            ArrayNode variables = node.putArray("env");
            env.forEach((name, value) -> variables.add(name + "=" + value));
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

    /** Uses the mount options of NVIDIA's driver. */
    private static void mount(ArrayNode mounts, Path hostPath, String containerPath) {
        ObjectNode mount =
                mounts.addObject().put("hostPath", hostPath.toString()).put("containerPath", containerPath);
        mount.putArray("options")
                .add("ro")
                .add("nosuid")
                .add("nodev")
                .add("rbind")
                .add("rprivate");
    }
}
