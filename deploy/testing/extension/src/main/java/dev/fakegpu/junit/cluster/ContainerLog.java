package dev.fakegpu.junit.cluster;

import java.util.List;
import org.testcontainers.containers.GenericContainer;

/** The output of the program in a container. */
final class ContainerLog {

    private ContainerLog() {}

    static String of(GenericContainer<?> container) {
        return container.getContainerId() == null ? "" : container.getLogs();
    }

    /** The end of the output, for errors. */
    static String lastWords(GenericContainer<?> container) {
        List<String> lines = of(container).lines().toList();
        return container.getDockerImageName() + " said:\n"
                + String.join("\n", lines.subList(Math.max(0, lines.size() - 10), lines.size()));
    }
}
