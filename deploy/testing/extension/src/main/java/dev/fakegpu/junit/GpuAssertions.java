package dev.fakegpu.junit;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;

/**
 * Entry points of assertions about pods and claims of the cluster of the running test, for use beside those of AssertJ. They wait, at
 * most 60 s, and look at the object as it is stored then: of the argument, only namespace and name count. In a thread that the
 * test itself has started, use {@link GpuCluster#assertThat(Pod)}.
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
