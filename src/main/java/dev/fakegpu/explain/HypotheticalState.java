package dev.fakegpu.explain;

import dev.fakegpu.allocate.AllocatedDevices;
import dev.fakegpu.allocate.Allocator;
import dev.fakegpu.allocate.AllocatorOptions;
import dev.fakegpu.allocate.Diagnoser;
import dev.fakegpu.allocate.NodeInfo;
import dev.fakegpu.allocate.Outcome;
import dev.fakegpu.allocate.Pool;
import dev.fakegpu.allocate.SearchLimit;
import dev.fakegpu.allocate.SliceIndex;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.PoolId;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What allocators decide on, as it is or as it might be. */
record HypotheticalState(
        SliceIndex slices,
        Map<String, DeviceClass> classes,
        AllocatedDevices holdings,
        Selectors selectors,
        AllocatorOptions options) {

    Outcome allocate(NodeInfo node, List<Claim> claims, SearchLimit limit) {
        return new Allocator(slices, classes, holdings, selectors, options).allocate(node, claims, limit);
    }

    Diagnoser inspector() {
        return new Diagnoser(slices, classes, holdings, selectors, options);
    }

    /** How many devices a node can reach. */
    int devices(NodeInfo node) {
        return slices.pools(node).stream()
                .mapToInt(pool ->
                        pool instanceof Pool.Usable usable ? usable.devices().size() : 0)
                .sum();
    }

    HypotheticalState without(Set<ClaimRef> claims) {
        return new HypotheticalState(slices, classes, holdings.without(claims), selectors, options);
    }

    HypotheticalState tolerating(DeviceTaint taint) {
        return new HypotheticalState(slices, classes, holdings, selectors, options.tolerating(taint));
    }

    HypotheticalState withComplete(PoolId pool) {
        return new HypotheticalState(slices.withComplete(pool), classes, holdings, selectors, options);
    }
}
