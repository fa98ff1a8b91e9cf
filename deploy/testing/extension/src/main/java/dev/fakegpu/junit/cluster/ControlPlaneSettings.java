package dev.fakegpu.junit.cluster;

/**
 * The settings of a control plane.
 *
 * @param version the version of Kubernetes, such as {@code v1.37.1}
 * @param featureGates the gates of all programs, such as {@code A=true,B=false}; empty for the defaults of Kubernetes
 * @param schedulerGates the gates of kube-scheduler, which replace those
 * @param runtimeConfig API versions that are served or not, such as {@code resource.k8s.io/v1beta1=true}; empty for the defaults of
 *     Kubernetes
 */
public record ControlPlaneSettings(
        String version,
        String featureGates,
        String schedulerGates,
        String runtimeConfig,
        boolean hasControllerManager,
        boolean hasScheduler) {}
