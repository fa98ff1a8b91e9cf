package dev.fakegpu.operator.publish.condition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuStatus.Totals;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.hardware.inventory.Specs;
import dev.fakegpu.kube.watch.ObjectStores;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StatusTotalsTest {

    private static final PoolId POOL = new PoolId("gpu.example.com", "node-1/shared");

    @Test
    void countsNodesGpusAndDevicesOfTheStoredSlices() {
        assertThat(totals()).isEqualTo(new Totals(1, 2, 2, 0));
    }

    @Test
    void countsDevicesInsteadOfTheirShares() {
        // Given
        var twoShares = claim("{device: gpu-0, shareID: s1}", "{device: gpu-0, shareID: s2}");
        var anotherShare = claim("{device: gpu-0, shareID: s3}");

        // Then
        assertThat(totals(twoShares, anotherShare).allocated()).isEqualTo(1);
        assertThat(totals(twoShares, claim("{device: gpu-1, shareID: s4}")).allocated())
                .isEqualTo(2);
    }

    @Test
    void leavesOutAdminAccessAndOtherPools() {
        // Given
        var monitoring = claim("{device: gpu-0, adminAccess: true}");
        var otherPool = claim("{device: gpu-0, pool: node-2/shared}");

        // Then
        assertThat(totals(monitoring, otherPool).allocated()).isZero();
    }

    private static Totals totals(ResourceClaim... claims) {
        var fakeGpu = new FakeGpu();
        fakeGpu.setSpec(Specs.spec("{nodes: {names: [node-1]}, model: L40S, count: 2, sharing: {mode: Unlimited}}"));
        var slice = Serialization.unmarshal(
                "metadata: {name: gpus, uid: a, resourceVersion: '1'}\nspec: {devices: [{name: gpu-0}, {name: gpu-1}]}",
                ResourceSlice.class);
        return StatusTotals.of(
                fakeGpu, Map.of(POOL, List.of(slice)), new ObjectStores().parsedSlices(), List.of(claims));
    }

    private static ResourceClaim claim(String... results) {
        var claim = Serialization.unmarshal(
                "status: {allocation: {devices: {results: [" + String.join(", ", results) + "]}}}",
                ResourceClaim.class);
        claim.getStatus().getAllocation().getDevices().getResults().forEach(result -> {
            result.setDriver(POOL.driver());
            result.setPool(result.getPool() == null ? POOL.name() : result.getPool());
        });
        return claim;
    }
}
