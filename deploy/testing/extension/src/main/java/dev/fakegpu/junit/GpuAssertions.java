package dev.fakegpu.junit;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;

/**
 * Entry points for assertions about pods and claims in the cluster of the running test, for use together with those of AssertJ. They wait
 * up to 60 s, and check the stored object: only the namespace and the name of the argument are used. In threads that the test itself
 * started, use {@link GpuCluster#assertThat(Pod)}.
 */
public final class GpuAssertions {

    private static final ThreadLocal<GpuCluster> CURRENT = new ThreadLocal<>();

    private GpuAssertions() {}

    public static GpuPodAssert assertThat(Pod pod) {
        return current().assertThat(pod);
    }

    public static GpuClaimAssert assertThat(ResourceClaim claim) {
        return current().assertThat(claim);
    }

    static void use(GpuCluster cluster) {
        CURRENT.set(cluster);
    }

    static void useNone() {
        CURRENT.remove();
    }

    private static GpuCluster current() {
        GpuCluster cluster = CURRENT.get();
        if (cluster == null) {
            throw new IllegalStateException("no test of a class with @FakeGpuCluster runs in this thread;"
                    + " use assertThat of the GpuCluster, which can be a parameter of the test");
        }
        return cluster;
    }
}
