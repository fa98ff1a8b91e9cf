package dev.fakegpu.kube.watch;

import static dev.fakegpu.testing.TestObjects.fakeGpu;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
        own.getMetadata().setOwnerReferences(List.of(FakeGpuOwner.reference(fakeGpu("{name: heir, uid: heir-uid}"))));
        stores.slices().onAdd(left);
        stores.slices().onAdd(own);
        stores.slices().onAdd(slice("network", ONE, null));
        stores.slices().onAdd(slice("other", new PoolId("other.example.com", "one"), "node-1"));

        assertThat(stores.foreignSlices("gpu.example.com")).containsExactly(left);
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
        String results = IntStream.range(0, pools.length)
                .mapToObj(
                        i -> "{driver: %s, pool: %s, device: gpu-%d}".formatted(pools[i].driver(), pools[i].name(), i))
                .collect(Collectors.joining(", "));
        return TestObjects.claim(
                "{namespace: default, name: claim, uid: claim-uid, resourceVersion: '%d'}".formatted(version),
                "status: {allocation: {devices: {results: [%s]}}}".formatted(results));
    }

    private static ResourceSlice slice(String name, PoolId pool, @Nullable String node) {
        return TestObjects.slice(
                "{name: %1$s, uid: %1$s, resourceVersion: '1'}".formatted(name),
                "spec: {driver: %s, nodeName: %s, pool: {name: %s}}".formatted(pool.driver(), node, pool.name()));
    }
}
