package dev.fakegpu.operator.publish.condition;

import dev.fakegpu.api.CustomSpec;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.FakeGpuStatus;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.kube.watch.ParsedSlices;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Totals of the stored slices and claims, which may differ from what the spec requests. A shared device is counted once. */
public final class StatusTotals {
    private StatusTotals() {}

    public static FakeGpuStatus.Totals of(
            FakeGpu fakeGpu,
            Map<PoolId, List<ResourceSlice>> stored,
            ParsedSlices parsed,
            Collection<ResourceClaim> claims) {
        var pools = stored.keySet();
        int devices = stored.values().stream()
                .flatMap(List::stream)
                .mapToInt(slice -> parsed.asStored(slice).devices().size())
                .sum();
        long allocated = claims.stream()
                .flatMap(claim -> Allocations.devices(claim).stream())
                .filter(device -> pools.contains(device.poolId()))
                .distinct()
                .count();
        int nodes = fakeGpu.getSpec().nodes().isNetworkAttached() ? 0 : pools.size();
        return new FakeGpuStatus.Totals(nodes, pools.size() * gpus(fakeGpu.getSpec()), devices, (int) allocated);
    }

    private static int gpus(FakeGpuSpec spec) {
        return spec.custom() == null ? spec.gpusPerNode() : Math.max(1, counterSets(spec.custom()));
    }

    private static int counterSets(CustomSpec custom) {
        return (int) custom.counterSets().stream()
                .mapToLong(set -> CustomSpec.copies(set.repeat()))
                .sum();
    }
}
