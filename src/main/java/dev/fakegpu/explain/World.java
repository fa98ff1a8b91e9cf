package dev.fakegpu.explain;

import dev.fakegpu.allocate.Allocator;
import dev.fakegpu.allocate.AllocatorOptions;
import dev.fakegpu.allocate.Holdings;
import dev.fakegpu.allocate.Inspector;
import dev.fakegpu.allocate.Limit;
import dev.fakegpu.allocate.Node;
import dev.fakegpu.allocate.Outcome;
import dev.fakegpu.allocate.Pool;
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
record World(
        SliceIndex slices,
        Map<String, DeviceClass> classes,
        Holdings holdings,
        Selectors selectors,
        AllocatorOptions options) {

    Outcome allocate(Node node, List<Claim> claims, Limit limit) {
        return new Allocator(slices, classes, holdings, selectors, options).allocate(node, claims, limit);
    }

    Inspector inspector() {
        return new Inspector(slices, classes, holdings, selectors, options);
    }

    /** How many devices a node can reach. */
    int devices(Node node) {
        return slices.pools(node).stream()
                .mapToInt(pool ->
                        pool instanceof Pool.Usable usable ? usable.devices().size() : 0)
                .sum();
    }

    World without(Set<ClaimRef> claims) {
        return new World(slices, classes, holdings.without(claims), selectors, options);
    }

    World tolerating(DeviceTaint taint) {
        return new World(slices, classes, holdings, selectors, options.tolerating(taint));
    }

    World withComplete(PoolId pool) {
        return new World(slices.withComplete(pool), classes, holdings, selectors, options);
    }
}
