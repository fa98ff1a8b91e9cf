package dev.fakegpu.operator.prepare.plugin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jboss.logging.Logger;

/** Finds the drivers for which earlier plugins have prepared claims on the node. */
final class PreparedDrivers {

    private static final Logger LOG = Logger.getLogger(PreparedDrivers.class);

    private PreparedDrivers() {}

    /**
     * @param paths returns the paths of a driver
     * @throws IOException if the directory that has all drivers cannot be read
     */
    static List<String> find(Path kubeletRoot, Function<String, PluginPaths> paths) throws IOException {
        Path plugins = PluginPaths.plugins(kubeletRoot);
        if (!Files.isDirectory(plugins)) {
            return List.of();
        }
        try (var directories = Files.list(plugins)) {
            return directories
                    .map(directory -> directory.getFileName().toString())
                    .sorted()
                    .filter(driver -> hasClaims(paths.apply(driver)))
                    .toList();
        }
    }

    private static boolean hasClaims(PluginPaths paths) {
        if (!NodeState.isAt(paths)) {
            return false;
        }
        try (var state = NodeState.open(paths)) {
            return !state.checkpoint().claims().isEmpty();
        } catch (IOException e) {
            LOG.warnf("driver %s is served, because its state cannot be read: %s", paths.driver(), e.getMessage());
            return true;
        }
    }
}
