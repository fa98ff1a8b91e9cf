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

/** The state on which an allocator decides, as it is or with a change, to see what would happen. */
record HypotheticalState(
        SliceIndex slices,
        Map<String, DeviceClass> classes,
        AllocatedDevices allocatedDevices,
        Selectors selectors,
        AllocatorOptions options) {

    Outcome allocate(NodeInfo node, List<Claim> claims, SearchLimit limit) {
        return new Allocator(slices, classes, allocatedDevices, selectors, options).allocate(node, claims, limit);
    }

    Diagnoser diagnoser() {
        return new Diagnoser(slices, classes, allocatedDevices, selectors, options);
    }

    /** The number of devices that a node can reach. */
    int devices(NodeInfo node) {
        return slices.pools(node).stream()
                .mapToInt(pool ->
                        pool instanceof Pool.Usable usable ? usable.devices().size() : 0)
                .sum();
    }

    HypotheticalState without(Set<ClaimRef> claims) {
        return new HypotheticalState(slices, classes, allocatedDevices.without(claims), selectors, options);
    }

    HypotheticalState tolerating(DeviceTaint taint) {
        return new HypotheticalState(slices, classes, allocatedDevices, selectors, options.tolerating(taint));
    }

    HypotheticalState withComplete(PoolId pool) {
        return new HypotheticalState(slices.withComplete(pool), classes, allocatedDevices, selectors, options);
    }
}
