package dev.fakegpu.junit.cluster;

/**
 * What runs of Kubernetes beside etcd and kube-apiserver, and how.
 *
 * @param version of Kubernetes, such as {@code v1.37.1}
 * @param featureGates of all programs, such as {@code A=true,B=false}; empty for Kubernetes' defaults
 * @param schedulerGates of kube-scheduler, instead of those
 * @param runtimeConfig API versions that are served or not, such as {@code resource.k8s.io/v1beta1=true}; empty for Kubernetes' defaults
 */
public record ControlPlaneSettings(
        String version,
        String featureGates,
        String schedulerGates,
        String runtimeConfig,
        boolean hasControllerManager,
        boolean hasScheduler) {}
