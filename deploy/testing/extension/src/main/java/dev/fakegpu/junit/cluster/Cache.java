package dev.fakegpu.junit.cluster;

import java.nio.file.Path;
import java.util.Map;

/** The cache directory, which is shared with the scripts of the project. */
final class Cache {

    private Cache() {}

    static Path directory() {
        return directory(System.getenv(), System.getProperty("user.home"));
    }

    static Path directory(Map<String, String> environment, String home) {
        String base = environment.getOrDefault("XDG_CACHE_HOME", "");
        return (base.isEmpty() ? Path.of(home, ".cache") : Path.of(base)).resolve("fakegpu");
    }
}
