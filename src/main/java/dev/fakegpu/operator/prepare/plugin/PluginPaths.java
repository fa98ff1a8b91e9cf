package dev.fakegpu.operator.prepare.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fakegpu.util.Sha256;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Paths on the node that follow the conventions of {@code k8s.io/dynamic-resource-allocation/kubeletplugin}. They must be the same in the
 * plugin's container as on the node.
 *
 * @param instance distinguishes two plugins of a driver during an upgrade, usually the pod's UID; null if there is only ever one
 */
record PluginPaths(
        Path kubeletRoot,
        Path cdiDirectory,
        String driver,
        @Nullable String instance) {

    /** The maximum length in bytes of the path of a Unix socket on Linux, without the terminating zero. */
    private static final int MAX_SOCKET_PATH = 107;

    /** Matches an empty string, a UID, or the hash of a UID. */
    private static final String INSTANCE = "(-\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}|-[0-9A-Za-z_-]{11})?";

    /** The directory that all plugins of the driver share, with checkpoint, lock and device info files. */
    Path data() {
        return plugins(kubeletRoot).resolve(driver);
    }

    /** The directory with one directory per driver, including drivers of others. */
    static Path plugins(Path kubeletRoot) {
        return kubeletRoot.resolve("plugins");
    }

    /** The directory in which the kubelet discovers plugins. */
    static Path registry(Path kubeletRoot) {
        return kubeletRoot.resolve("plugins_registry");
    }

    Path registry() {
        return registry(kubeletRoot);
    }

    /** The socket by which the kubelet discovers this plugin. */
    Path registrationSocket() {
        if (instance == null) {
            return fitting(registry(), List.of(driver + "-reg.sock"));
        }
        return fitting(
                registry(),
                List.of(
                        driver + "-" + instance + "-reg.sock",
                        driver + "-" + hash(instance, 8) + "-reg.sock",
                        "dra-" + hash(driver + "\0" + instance, 16) + "-reg.sock"));
    }

    /** The socket on which the kubelet calls the driver. */
    Path driverSocket() {
        return instance == null
                ? fitting(data(), List.of("dra.sock"))
                : fitting(
                        data(),
                        List.of(
                                "dra-" + instance + ".sock",
                                "dra-" + hash(instance, 8) + ".sock",
                                // fits in /var/lib/kubelet for driver names of any length
                                "d-" + hash(instance, 8) + ".sock"));
    }

    /**
     * Whether a file is a socket of this or another plugin of the driver. It is not recognized if its name has only a hash of the driver
     * name.
     */
    boolean isOfDriver(Path socket) {
        String prefix = socket.startsWith(data()) ? "d(ra)?" : Pattern.quote(driver);
        String suffix = socket.startsWith(data()) ? "" : "-reg";
        return socket.getFileName().toString().matches(prefix + INSTANCE + suffix + "\\.sock");
    }

    private static Path fitting(Path directory, List<String> names) {
        return names.stream()
                .map(directory::resolve)
                .filter(path -> path.toString().getBytes(UTF_8).length <= MAX_SOCKET_PATH)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "%s is too long a path for a Unix socket, which can have %d bytes; a shorter directory is needed than %s"
                                .formatted(
                                        directory.resolve(names.get(names.size() - 1)), MAX_SOCKET_PATH, directory)));
    }

    private static String hash(String text, int bytes) {
        byte[] digest = Sha256.digest(text.getBytes(UTF_8));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, bytes));
    }
}
