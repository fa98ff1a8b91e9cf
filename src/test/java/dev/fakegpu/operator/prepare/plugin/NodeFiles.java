package dev.fakegpu.operator.prepare.plugin;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** The files that a plugin has written on its node. */
record NodeFiles(PluginPaths paths) {

    Checkpoint checkpoint() throws IOException {
        try (var state = NodeState.open(paths)) {
            return state.checkpoint();
        }
    }

    List<String> cdiFiles() throws IOException {
        try (var files = Files.list(paths.cdiDirectory())) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
