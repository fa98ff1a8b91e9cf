package dev.fakegpu.testing;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which control plane a test wants. Tests that want the same share one.
 *
 * @param version of Kubernetes, such as {@code v1.36.3}; null for the one that the project is built for
 * @param featureGates such as {@code A=true,B=false}, for all programs; null for those of {@code hack/control-plane}
 * @param schedulerFeatureGates for the scheduler instead of those; null for the same
 * @param runtimeConfig API versions to serve or not, such as {@code resource.k8s.io/v1beta1=true}; null for Kubernetes' defaults
 * @param ownEtcd resources that are kept in a second etcd, such as {@code /namespaces}; null for none
 * @param components what runs beside the API server
 */
public record ControlPlaneOptions(
        @Nullable String version,
        @Nullable String featureGates,
        @Nullable String schedulerFeatureGates,
        @Nullable String runtimeConfig,
        @Nullable String ownEtcd,
        Set<Component> components) {

    /** What a control plane may have beside its API server. */
    public enum Component {
        SCHEDULER("scheduler"),
        CONTROLLER_MANAGER("controller-manager");

        private final String program;

        Component(String program) {
            this.program = program;
        }

        String program() {
            return program;
        }
    }

    public ControlPlaneOptions {
        components = Set.copyOf(components);
    }

    /** An API server and nothing that acts on what is written to it: a test has the cluster to itself. */
    public static ControlPlaneOptions apiServerOnly() {
        return new ControlPlaneOptions(null, null, null, null, null, Set.of());
    }

    /** All of Kubernetes but nodes. */
    public static ControlPlaneOptions withSchedulerAndControllerManager() {
        return new ControlPlaneOptions(null, null, null, null, null, EnumSet.allOf(Component.class));
    }

    /** Templates become claims and objects are garbage collected, but no pod is scheduled by anybody else. */
    public static ControlPlaneOptions withControllerManager() {
        return new ControlPlaneOptions(null, null, null, null, null, Set.of(Component.CONTROLLER_MANAGER));
    }

    public ControlPlaneOptions version(String version) {
        return new ControlPlaneOptions(
                version, featureGates, schedulerFeatureGates, runtimeConfig, ownEtcd, components);
    }

    public ControlPlaneOptions featureGates(String featureGates) {
        return new ControlPlaneOptions(
                version, featureGates, schedulerFeatureGates, runtimeConfig, ownEtcd, components);
    }

    public ControlPlaneOptions schedulerFeatureGates(String schedulerFeatureGates) {
        return new ControlPlaneOptions(
                version, featureGates, schedulerFeatureGates, runtimeConfig, ownEtcd, components);
    }

    public ControlPlaneOptions runtimeConfig(String runtimeConfig) {
        return new ControlPlaneOptions(
                version, featureGates, schedulerFeatureGates, runtimeConfig, ownEtcd, components);
    }

    public ControlPlaneOptions ownEtcd(String ownEtcd) {
        return new ControlPlaneOptions(
                version, featureGates, schedulerFeatureGates, runtimeConfig, ownEtcd, components);
    }
}
