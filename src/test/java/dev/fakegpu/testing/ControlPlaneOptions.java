package dev.fakegpu.testing;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options of a test's control plane. Tests with equal options share one.
 *
 * @param version the version of Kubernetes, such as {@code v1.36.3}; null for the one that the project is built for
 * @param featureGates the gates of all programs, such as {@code A=true,B=false}; null for those of {@code hack/control-plane}
 * @param schedulerFeatureGates the gates of the scheduler, if they differ; null if they do not
 * @param runtimeConfig API versions to serve or not, such as {@code resource.k8s.io/v1beta1=true}; null for the defaults of Kubernetes
 * @param ownEtcd resources that are kept in a second etcd, such as {@code /namespaces}; null for none
 * @param components the programs that run beside the API server
 */
public record ControlPlaneOptions(
        @Nullable String version,
        @Nullable String featureGates,
        @Nullable String schedulerFeatureGates,
        @Nullable String runtimeConfig,
        @Nullable String ownEtcd,
        Set<Component> components) {

    /** The programs that a control plane may have beside its API server. */
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

    /** Only an API server: nothing else changes the objects of a test. */
    public static ControlPlaneOptions apiServerOnly() {
        return new ControlPlaneOptions(null, null, null, null, null, Set.of());
    }

    /** All components of Kubernetes except nodes. */
    public static ControlPlaneOptions withSchedulerAndControllerManager() {
        return new ControlPlaneOptions(null, null, null, null, null, EnumSet.allOf(Component.class));
    }

    /** The controller manager creates claims from templates and collects garbage, but there is no kube-scheduler. */
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
