package dev.fakegpu.junit.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Flags of Kubernetes' programs that do not depend on where they run; {@code hack/control-plane} has the same flags and explains them. */
final class Flags {

    /** The controllers that tests of operators need: for claims from templates, for workloads, and for deletions. */
    private static final List<String> CONTROLLERS = List.of(
            "resourceclaim-controller",
            "device-taint-eviction-controller",
            "node-lifecycle-controller",
            "pod-garbage-collector-controller",
            "namespace-controller",
            "garbage-collector-controller",
            "serviceaccount-controller",
            "serviceaccount-token-controller",
            "clusterrole-aggregation-controller",
            "deployment-controller",
            "replicaset-controller",
            "statefulset-controller",
            "daemonset-controller",
            "job-controller");

    private Flags() {}

    static List<String> apiServer(
            ControlPlaneSettings settings, String keyFile, String tokenFile, String certificates) {
        return with(
                settings.runtimeConfig().isEmpty()
                        ? gates(settings.featureGates())
                        : with(gates(settings.featureGates()), List.of("--runtime-config=" + settings.runtimeConfig())),
                List.of(
                        "--cert-dir=" + certificates,
                        "--endpoint-reconciler-type=none",
                        "--service-cluster-ip-range=10.0.0.0/24",
                        "--service-account-issuer=https://kubernetes.default.svc",
                        "--service-account-key-file=" + keyFile,
                        "--service-account-signing-key-file=" + keyFile,
                        "--token-auth-file=" + tokenFile,
                        "--authorization-mode=Node,RBAC",
                        "--allow-privileged",
                        "--disable-admission-plugins=ServiceAccount"));
    }

    static List<String> controllerManager(ControlPlaneSettings settings, String kubeconfig, String keyFile) {
        return with(
                client(settings.featureGates(), kubeconfig),
                List.of(
                        "--controllers=" + String.join(",", CONTROLLERS),
                        "--service-account-private-key-file=" + keyFile));
    }

    static List<String> scheduler(ControlPlaneSettings settings, String kubeconfig) {
        return client(settings.schedulerGates(), kubeconfig);
    }

    /** The programs serve nothing, since nothing connects to them. */
    private static List<String> client(String gates, String kubeconfig) {
        return with(gates(gates), List.of("--kubeconfig=" + kubeconfig, "--leader-elect=false", "--secure-port=0"));
    }

    private static List<String> gates(String gates) {
        return List.of("--feature-gates=" + gates);
    }

    static List<String> with(Collection<String> some, Collection<String> others) {
        var all = new ArrayList<>(some);
        all.addAll(others);
        return all;
    }
}
