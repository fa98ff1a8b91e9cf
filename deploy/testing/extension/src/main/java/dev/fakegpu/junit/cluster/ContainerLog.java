package dev.fakegpu.junit.cluster;

import java.util.List;
import org.testcontainers.containers.GenericContainer;

/** What the program in a container has said. */
final class ContainerLog {

    private ContainerLog() {}

    static String of(GenericContainer<?> container) {
        return container.getContainerId() == null ? "" : container.getLogs();
    }

    /** For errors: the end of it. */
    static String lastWords(GenericContainer<?> container) {
        List<String> lines = of(container).lines().toList();
        return container.getDockerImageName() + " said:\n"
                + String.join("\n", lines.subList(Math.max(0, lines.size() - 10), lines.size()));
    }
}
