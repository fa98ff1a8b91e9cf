package dev.fakegpu.testing;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The control planes that the test classes of a JVM share. Only the two last used ones run, because an idle one takes a fortieth of a
 * processor. Not thread-safe.
 */
final class SharedControlPlanes implements AutoCloseable {

    private static final int RUNNING = 2;

    private final Map<ControlPlaneOptions, ControlPlane> running = new LinkedHashMap<>(RUNNING, 1, true);

    ControlPlane get(ControlPlaneOptions options) {
        ControlPlane known = running.get(options);
        if (known != null) {
            return known;
        }
        if (running.size() == RUNNING) {
            ControlPlaneOptions leastRecent = running.keySet().iterator().next();
            running.remove(leastRecent).close();
        }
        var started = ControlPlane.start(options);
        running.put(options, started);
        return started;
    }

    @Override
    public void close() {
        running.values().forEach(ControlPlane::close);
    }
}
