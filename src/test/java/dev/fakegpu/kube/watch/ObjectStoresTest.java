package dev.fakegpu.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.dra.PoolId;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceBuilder;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ObjectStoresTest {

    private static final PoolId ONE = new PoolId("gpu.example.com", "one");
    private static final PoolId TWO = new PoolId("gpu.example.com", "two");

    private final ObjectStores stores = new ObjectStores();

    @Test
    void holdersAreTheClaimsWithDevicesInAPool() {
        // Given
        stores.claims().onAdd(claim(1));
        assertThat(stores.holdersIn(Set.of(ONE, TWO))).isEmpty();

        // When, then
        var inBoth = claim(2, ONE, ONE, TWO);
        stores.claims().written(inBoth);
        assertThat(stores.holdersIn(Set.of(ONE))).containsExactly(inBoth);
        assertThat(stores.holdersIn(Set.of(ONE, TWO))).as("once").containsExactly(inBoth);

        var inTwo = claim(3, TWO);
        stores.claims().written(inTwo);
        assertThat(stores.holdersIn(Set.of(ONE))).isEmpty();
        assertThat(stores.holdersIn(Set.of(TWO))).containsExactly(inTwo);

        stores.claims().deleted(inTwo);
        assertThat(stores.holdersIn(Set.of(ONE, TWO))).isEmpty();
    }

    @Test
    void slicesForANodeAreItsOwnAndThoseWithoutANode() {
        var own = slice("own", ONE, "node-1");
        var network = slice("network", TWO, null);
        stores.slices().onAdd(own);
        stores.slices().onAdd(network);
        stores.slices().onAdd(slice("other", TWO, "node-2"));

        assertThat(stores.slicesFor("node-1")).containsExactlyInAnyOrder(own, network);
        assertThat(stores.slicesFor("node-3")).containsExactly(network);
    }

    @Test
    void foreignSlicesAreThoseOfADriverForANodeWithoutAFakeGpu() {
        var left = slice("left", ONE, "node-1");
        var own = slice("own", ONE, "node-1");
        own.getMetadata().setOwnerReferences(List.of(FakeGpuOwner.reference(fakeGpu())));
        stores.slices().onAdd(left);
        stores.slices().onAdd(own);
        stores.slices().onAdd(slice("network", ONE, null));
        stores.slices().onAdd(slice("other", new PoolId("other.example.com", "one"), "node-1"));

        assertThat(stores.foreignSlices("gpu.example.com")).containsExactly(left);
    }

    private static FakeGpu fakeGpu() {
        var fakeGpu = new FakeGpu();
        fakeGpu.setMetadata(
                new ObjectMetaBuilder().withName("heir").withUid("heir-uid").build());
        return fakeGpu;
    }

    @Test
    void slicesAreFoundByPool() {
        var one = slice("one", ONE, "node-1");
        stores.slices().onAdd(one);
        stores.slices().onAdd(slice("two", TWO, "node-1"));

        assertThat(stores.slicesIn(Set.of(ONE))).containsExactly(one);
        assertThat(stores.slicesIn(Set.of(new PoolId("other.example.com", "one"))))
                .as("the driver counts, too")
                .isEmpty();
    }

    private static ResourceClaim claim(int version, PoolId... pools) {
        var allocation = new ResourceClaimBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("claim")
                .withUid("claim-uid")
                .withResourceVersion(Integer.toString(version))
                .endMetadata()
                .withNewStatus()
                .withNewAllocation()
                .withNewDevices();
        for (int i = 0; i < pools.length; i++) {
            allocation
                    .addNewResult()
                    .withDriver(pools[i].driver())
                    .withPool(pools[i].name())
                    .withDevice("gpu-" + i)
                    .endResult();
        }
        return allocation.endDevices().endAllocation().endStatus().build();
    }

    private static ResourceSlice slice(String name, PoolId pool, @Nullable String node) {
        return new ResourceSliceBuilder()
                .withNewMetadata()
                .withName(name)
                .withUid(name)
                .withResourceVersion("1")
                .endMetadata()
                .withNewSpec()
                .withDriver(pool.driver())
                .withNewPool()
                .withName(pool.name())
                .endPool()
                .withNodeName(node)
                .endSpec()
                .build();
    }
}
