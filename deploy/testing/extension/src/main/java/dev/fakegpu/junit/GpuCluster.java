package dev.fakegpu.junit;

import dev.fakegpu.junit.cluster.RunningCluster;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Duration;

/** What a test class with {@link FakeGpuCluster} has of its cluster. It ends with the class. */
public final class GpuCluster {

    /** How long assertions wait for what they say. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RunningCluster cluster;
    private final KubernetesClient client;
    private final Duration patience;

    GpuCluster(RunningCluster cluster, KubernetesClient client, Duration patience) {
        this.cluster = cluster;
        this.client = client;
        this.patience = patience;
    }

    /** An administrator's client, whose namespace is that of the test class. */
    public KubernetesClient client() {
        return client;
    }

    /** The namespace of the test class. */
    public String namespace() {
        return client.getNamespace();
    }

    /** An administrator's kubeconfig, for programs that the test starts; its namespace is {@code default}. */
    public Path kubeconfig() {
        return cluster.kubeconfig();
    }

    /** The log of the operator; empty if somebody else runs it. */
    public String operatorLog() {
        return cluster.operatorLog();
    }

    /** The same cluster, whose assertions wait so long for what they say; the default is 60 s. */
    public GpuCluster waitingAtMost(Duration limit) {
        return new GpuCluster(cluster, client, limit);
    }

    /** Asserts about a pod of this cluster, as it will be within the limit. */
    public GpuPodAssert assertThat(Pod pod) {
        return new GpuPodAssert(pod, new ObservedObjects(client, patience));
    }

    /** Asserts about a claim of this cluster, as it will be within the limit. */
    public GpuClaimAssert assertThat(ResourceClaim claim) {
        return new GpuClaimAssert(claim, new ObservedObjects(client, patience));
    }
}
