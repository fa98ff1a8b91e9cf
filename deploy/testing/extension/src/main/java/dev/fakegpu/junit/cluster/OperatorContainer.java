package dev.fakegpu.junit.cluster;

import org.testcontainers.containers.GenericContainer;

/** Runs the operator's image next to Kubernetes in containers. */
final class OperatorContainer implements OperatorRun {

    private final GenericContainer<?> container;

    OperatorContainer(GenericContainer<?> container) {
        this.container = container;
    }

    @Override
    public boolean isAlive() {
        return container.isRunning();
    }

    @Override
    public String log() {
        return ContainerLog.of(container);
    }

    @Override
    public String lastWords() {
        return ContainerLog.lastWords(container);
    }

    @Override
    public void close() {
        container.stop();
    }
}
