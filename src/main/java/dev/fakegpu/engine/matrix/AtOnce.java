package dev.fakegpu.engine.matrix;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.Allocator;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.ClusterState;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.Outcome;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.cel.Selectors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Uses the allocator to count how many of the given devices can be allocated at the same time if nothing else is. */
final class AtOnce {

    private static final String CLASS = "any";
    private static final NodeInfo NODE = new NodeInfo("node", Map.of());
    private static final PoolId POOL = new PoolId("matrix", "pool");

    /** Enough for every catalog model; a declaration that needs more gets a lower bound. */
    private static final long MAX_STEPS = 200_000;

    private final List<CounterSet> counterSets;
    private final Selectors selectors = new Selectors();

    AtOnce(List<CounterSet> counterSets) {
        this.counterSets = counterSets;
    }

    /**
     * How many devices can be allocated.
     *
     * @param exact whether this is the maximum; otherwise the search gave up
     */
    record Maximum(int devices, boolean exact) {
        @Override
        public String toString() {
            return exact ? Integer.toString(devices) : "≥" + devices;
        }
    }

    /** The largest number of these devices that fits, found by binary search: if n of them fit, so do fewer. */
    Maximum of(List<Device> devices) {
        List<Slice> slices = slices(devices);
        boolean exact = true;
        int fits = 0;
        int tooMany = devices.size() + 1;
        while (tooMany - fits > 1) {
            int tried = tooMany == devices.size() + 1 ? devices.size() : (fits + tooMany) / 2;
            Outcome outcome = allocate(slices, tried);
            if (outcome instanceof Outcome.Allocated) {
                fits = tried;
            } else {
                tooMany = tried;
                exact &= outcome instanceof Outcome.None;
            }
        }
        return new Maximum(fits, exact);
    }

    private Outcome allocate(List<Slice> slices, int count) {
        var state = new ClusterState(slices, Map.of(CLASS, new DeviceClass(CLASS, List.of(), List.of())), List.of());
        var options = new AllocatorOptions(GroupsGate.ON, GroupPolicy.SNAPSHOT, List.of());
        return new Allocator(AllocationContext.of(state, selectors, options))
                .allocate(NODE, claims(count), SearchLimit.steps(MAX_STEPS));
    }

    private static List<Claim> claims(int count) {
        var claims = new ArrayList<Claim>();
        for (int left = count; left > 0; left -= Limits.RESULTS) {
            String name = "claim-" + claims.size();
            var request = DeviceRequest.exactly("devices", CLASS, List.of(), Math.min(left, Limits.RESULTS), List.of());
            claims.add(new Claim(new ClaimRef("default", name, name), List.of(request), List.of(), List.of()));
        }
        return claims;
    }

    /** The devices with only their counter consumption, since taints, conditions and nodes could make them ineligible. */
    private List<Slice> slices(List<Device> devices) {
        var countersOnly = devices.stream()
                .map(device -> new Device(device.name(), Map.of(), Map.of(), device.consumesCounters(), List.of()))
                .toList();
        var nodes = new NodeSelection.AllNodes();
        return List.of(
                new Slice("0-counters", POOL, 1, 2, nodes, counterSets, List.of()),
                new Slice("1-devices", POOL, 1, 2, nodes, List.of(), countersOnly));
    }
}
