package dev.fakegpu.junit.cluster;

import java.util.List;
import java.util.Optional;

/**
 * Runs Kubernetes in containers, for machines with a container engine but without Kubernetes' programs. This uses Testcontainers, which is
 * an optional dependency.
 */
final class KubernetesInContainers implements KubernetesSource {

    private static final String LIBRARY = "org.testcontainers:testcontainers";

    @Override
    public String name() {
        return "containers";
    }

    @Override
    public Optional<Kubernetes> start(ClusterSettings settings, List<String> why) {
        if (!hasLibrary()) {
            why.add(
                    ContainerEngine.answers()
                            ? "a container engine answers, and can run Kubernetes if " + LIBRARY
                                    + " is on the class path of the tests: add that dependency"
                            : "start a container engine, and add " + LIBRARY + " to the class path of the tests");
            return Optional.empty();
        }
        if (!ContainerKubernetes.isPossible()) {
            why.add("start a container engine; if one runs, check DOCKER_HOST, and what Testcontainers logs");
            return Optional.empty();
        }
        return Optional.of(ContainerKubernetes.start(settings.controlPlane()));
    }

    private static boolean hasLibrary() {
        try {
            Class.forName(
                    "org.testcontainers.DockerClientFactory", false, KubernetesInContainers.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
