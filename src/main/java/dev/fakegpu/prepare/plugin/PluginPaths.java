package dev.fakegpu.prepare.plugin;

import dev.fakegpu.util.Sha256;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where things are on the node, by the conventions of {@code k8s.io/dynamic-resource-allocation/kubeletplugin}. The files have to be
 * at the same paths for the plugin and for the node.
 *
 * @param instance what tells two plugins of a driver apart while one replaces the other, usually the pod's UID; null where there is
 *     only ever one
 */
record PluginPaths(
        Path kubeletRoot,
        Path cdiDirectory,
        String driver,
        @Nullable String instance) {

    /** The longest path of a Unix socket on Linux, without the final zero. */
    private static final int LONGEST_SOCKET = 107;

    /** Nothing, a UID or its hash. */
    private static final String INSTANCE = "(-\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}|-[0-9A-Za-z_-]{11})?";

    /** What plugins of the driver share: checkpoint, lock and sheets. */
    Path data() {
        return kubeletRoot.resolve("plugins").resolve(driver);
    }

    /** Where the kubelet looks for plugins. */
    Path registry() {
        return kubeletRoot.resolve("plugins_registry");
    }

    /** By which it finds this one. */
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

    /** Where the kubelet calls the driver. */
    Path driverSocket() {
        return instance == null
                ? fitting(data(), List.of("dra.sock"))
                : fitting(data(), List.of("dra-" + instance + ".sock", "dra-" + hash(instance, 8) + ".sock"));
    }

    /** Whether a file is a socket of a plugin of this driver, this one or another; not those whose names hash the driver's. */
    boolean isOfDriver(Path socket) {
        String prefix = socket.startsWith(data()) ? "dra" : Pattern.quote(driver);
        String suffix = socket.startsWith(data()) ? "" : "-reg";
        return socket.getFileName().toString().matches(prefix + INSTANCE + suffix + "\\.sock");
    }

    private static Path fitting(Path directory, List<String> names) {
        return names.stream()
                .map(directory::resolve)
                .filter(path -> path.toString().getBytes(UTF_8).length <= LONGEST_SOCKET)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "%s is too long a path for a Unix socket, which can have %d bytes; a shorter directory is needed than %s"
                                .formatted(directory.resolve(names.get(names.size() - 1)), LONGEST_SOCKET, directory)));
    }

    private static String hash(String text, int bytes) {
        byte[] digest = Sha256.digest(text.getBytes(UTF_8));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, bytes));
    }
}
