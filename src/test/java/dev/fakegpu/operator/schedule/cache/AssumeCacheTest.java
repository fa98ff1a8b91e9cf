package dev.fakegpu.operator.schedule.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AssumeCacheTest {

    private static final PoolId POOL = new PoolId("gpu.example.com", "node");
    private static final DeviceId GPU_0 = POOL.device("gpu-0");
    private static final DeviceId GPU_1 = POOL.device("gpu-1");

    private final Map<PoolId, Integer> held = new HashMap<>();
    private final AssumeCache assumeCache =
            new AssumeCache(GroupPolicy.LIVE, (pool, by) -> held.merge(pool, by, Integer::sum));

    @Test
    void assumedDevicesAreHeldUntilTheWriteIsStored() {
        // Given
        assumeCache.update("default", "claim", claim("uid", 1, null));
        assumeCache.assume(new ClaimRef("default", "claim", "uid"), List.of(holding("uid", GPU_0)));
        assertThat(assumeCache.allocatedDevices().isAllocated(GPU_0)).isTrue();

        // When
        assumeCache.update("default", "claim", claim("uid", 2, GPU_0));
        var freed = assumeCache.forget("uid");

        // Then
        assertThat(freed).isEmpty();
        assertThat(assumeCache.allocatedDevices().isAllocated(GPU_0)).isTrue();
        assertThat(held).containsEntry(POOL, 1);
    }

    /** kube-scheduler records no groups, but a driver may do so later. */
    @Test
    void recordedGroupsFreeNothingUnlessTheyCount() {
        // Given
        var groups = new CompatibilityGroups(Map.of("gpu-0", List.of("mig")));
        var ref = new ClaimRef("default", "claim", "uid");
        var counting = new AssumeCache(GroupPolicy.SNAPSHOT, (pool, by) -> {});
        for (AssumeCache each : List.of(assumeCache, counting)) {
            each.update("default", "claim", claim("uid", 1, null));
            each.assume(ref, List.of(new AllocatedDevice(GPU_0, ref, groups)));
        }

        // When
        var freed = assumeCache.update("default", "claim", claim("uid", 2, GPU_0));
        var freedWhereGroupsCount = counting.update("default", "claim", claim("uid", 2, GPU_0));

        // Then
        assertThat(freed).isEmpty();
        assertThat(freedWhereGroupsCount).containsExactly(POOL);
    }

    @Test
    void olderVersionsDoNotReleaseAssumedDevices() {
        // Given
        assumeCache.update("default", "claim", claim("uid", 1, null));
        assumeCache.assume(new ClaimRef("default", "claim", "uid"), List.of(holding("uid", GPU_0)));

        // When: the finalizer, for example
        assumeCache.update("default", "claim", claim("uid", 2, null));

        // Then
        assertThat(assumeCache.allocatedDevices().isAllocated(GPU_0)).isTrue();
    }

    @Test
    void aFailedWriteFreesWhatWasAssumed() {
        // Given
        assumeCache.update("default", "claim", claim("uid", 1, null));
        assumeCache.assume(new ClaimRef("default", "claim", "uid"), List.of(holding("uid", GPU_0)));

        // When
        var freed = assumeCache.forget("uid");

        // Then
        assertThat(freed).containsExactly(POOL);
        assertThat(assumeCache.allocatedDevices().isAllocated(GPU_0)).isFalse();
        assertThat(held).containsEntry(POOL, 0);
    }

    @Test
    void aStoredAllocationReplacesTheAssumedOne() {
        // Given
        assumeCache.update("default", "claim", claim("uid", 1, null));
        assumeCache.assume(new ClaimRef("default", "claim", "uid"), List.of(holding("uid", GPU_0)));

        // When
        assumeCache.update("default", "claim", claim("uid", 2, GPU_1));

        // Then
        assertThat(assumeCache.allocatedDevices().isAllocated(GPU_0)).isFalse();
        assertThat(assumeCache.allocatedDevices().isAllocated(GPU_1)).isTrue();
    }

    @Test
    void aClaimThatIsGoneOrWasReplacedHoldsNothing() {
        // Given
        assumeCache.update("default", "claim", claim("old", 1, GPU_0));

        // When
        var freed = assumeCache.update("default", "claim", claim("new", 2, GPU_1));

        // Then
        assertThat(freed).containsExactly(POOL);
        assertThat(assumeCache.allocatedDevices().isAllocated(GPU_0)).isFalse();
        assertThat(assumeCache.allocatedDevices().isAllocated(GPU_1)).isTrue();
        assertThat(assumeCache.update("default", "claim", null)).containsExactly(POOL);
        assertThat(held).containsEntry(POOL, 0);
    }

    private static AllocatedDevice holding(String uid, DeviceId device) {
        return new AllocatedDevice(device, new ClaimRef("default", "claim", uid), null);
    }

    private static ResourceClaim claim(String uid, int version, DeviceId device) {
        String metadata = "{namespace: default, name: claim, uid: %s, resourceVersion: '%d'}".formatted(uid, version);
        return device == null
                ? TestObjects.claim(metadata)
                : TestObjects.claim(
                        metadata,
                        "status: {allocation: {devices: {results: [{request: gpu, driver: %s, pool: %s, device: %s}]}}}"
                                .formatted(device.driver(), device.pool(), device.device()));
    }
}
