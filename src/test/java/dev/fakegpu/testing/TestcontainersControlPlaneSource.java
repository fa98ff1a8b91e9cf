package dev.fakegpu.testing;

import dev.fakegpu.junit.cluster.ClusterSettings;
import dev.fakegpu.junit.cluster.ContainerKubernetes;
import dev.fakegpu.junit.cluster.ControlPlaneSettings;
import dev.fakegpu.testing.ControlPlaneOptions.Component;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Runs Kubernetes' own images in containers, with the library for tests of other projects. It is for machines that have a container engine,
 * but lack the tools that {@code hack/control-plane} needs.
 */
final class TestcontainersControlPlaneSource implements ControlPlaneSource {

    @Override
    public Instance start(ControlPlaneOptions options) {
        if (!ContainerKubernetes.isPossible()) {
            throw new IllegalStateException(
                    "no container engine answers; start one, or unset FAKEGPU_TEST_CONTROL_PLANE to do without");
        }
        ContainerKubernetes kubernetes = ContainerKubernetes.start(settings(options));
        return new Instance() {
            @Override
            public Path kubeconfig() {
                return kubernetes.kubeconfig();
            }

            @Override
            public void close() {
                kubernetes.close();
            }
        };
    }

    private static ControlPlaneSettings settings(ControlPlaneOptions options) {
        String version = Objects.requireNonNullElse(options.version(), ClusterSettings.DEFAULT_VERSION);
        String gates =
                Objects.requireNonNullElseGet(options.featureGates(), () -> ClusterSettings.defaultGates(version));
        return new ControlPlaneSettings(
                version,
                gates,
                Objects.requireNonNullElse(options.schedulerFeatureGates(), gates),
                Objects.requireNonNullElse(options.runtimeConfig(), ""),
                options.components().contains(Component.CONTROLLER_MANAGER),
                options.components().contains(Component.SCHEDULER));
    }
}
