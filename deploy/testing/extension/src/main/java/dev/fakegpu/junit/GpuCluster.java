package dev.fakegpu.junit;

import dev.fakegpu.junit.cluster.RunningCluster;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Duration;

/** The cluster of a test class with {@link FakeGpuCluster}. It is valid until the class ends. */
public final class GpuCluster {

    /** How long assertions wait by default. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RunningCluster cluster;
    private final KubernetesClient client;
    private final Duration patience;

    GpuCluster(RunningCluster cluster, KubernetesClient client, Duration patience) {
        this.cluster = cluster;
        this.client = client;
        this.patience = patience;
    }

    /** A client with administrator access, whose namespace is that of the test class. */
    public KubernetesClient client() {
        return client;
    }

    /** The namespace of the test class. */
    public String namespace() {
        return client.getNamespace();
    }

    /** A kubeconfig with administrator access, for programs that the test starts; its namespace is {@code default}. */
    public Path kubeconfig() {
        return cluster.kubeconfig();
    }

    /** The log of the operator; empty if the operator was not started by the tests. */
    public String operatorLog() {
        return cluster.operatorLog();
    }

    /** Returns the same cluster with another limit for how long assertions wait; the default is 60 s. */
    public GpuCluster waitingAtMost(Duration limit) {
        return new GpuCluster(cluster, client, limit);
    }

    /** Returns assertions about a pod of this cluster, which wait up to the limit. */
    public GpuPodAssert assertThat(Pod pod) {
        return new GpuPodAssert(pod, new ObservedObjects(client, patience));
    }

    /** Returns assertions about a claim of this cluster, which wait up to the limit. */
    public GpuClaimAssert assertThat(ResourceClaim claim) {
        return new GpuClaimAssert(claim, new ObservedObjects(client, patience));
    }
}
