package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.Allocator;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.Diagnoser;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.Outcome;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.allocate.SliceIndex;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.allocate.pool.PoolDevice;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The allocator's input, either unchanged or with a hypothetical change, to find out what would happen.
 *
 * @param deadline applies to everything that is computed from this state and from states derived from it
 * @param pending the changes of slices that follow when devices are released
 * @param others devices that do not count here
 * @param kept claims that no remedy releases
 */
record HypotheticalState(
        AllocationContext context,
        SearchLimit deadline,
        PendingChanges pending,
        OtherDevices others,
        Set<ClaimRef> kept) {

    HypotheticalState(AllocationContext context, SearchLimit deadline, PendingChanges pending, OtherDevices others) {
        this(context, deadline, pending, others, Set.of());
    }

    HypotheticalState keeping(Set<ClaimRef> claims) {
        return new HypotheticalState(context, deadline, pending, others, Set.copyOf(claims));
    }

    /** The claims that a remedy may release. */
    List<ClaimRef> releasable(List<ClaimRef> claims) {
        return claims.stream().filter(claim -> !kept.contains(claim)).toList();
    }

    Outcome allocate(NodeInfo node, List<Claim> claims, SearchLimit limit) {
        return new Allocator(context).allocate(node, claims, limit.and(deadline));
    }

    Diagnoser diagnoser() {
        return new Diagnoser(context, deadline);
    }

    /** The number of devices that a node can access. */
    int devices(NodeInfo node) {
        return context.slices().pools(node).stream()
                .mapToInt(pool ->
                        pool instanceof Pool.Usable usable ? usable.devices().size() : 0)
                .sum();
    }

    /** The state without some claims, with the slices that would then be published. */
    HypotheticalState without(Set<ClaimRef> claims) {
        Set<PoolId> pools = claims.stream()
                .flatMap(claim -> context.allocated().ofClaim(claim).stream())
                .map(device -> device.id().poolId())
                .collect(Collectors.toSet());
        AllocatedDevices rest = context.allocated().without(claims);
        return with(changed(pools, rest), rest, context.options());
    }

    /** The claims that hold devices of pools with pending changes, as far as the node can access the devices. */
    List<ClaimRef> delayingChanges(NodeInfo node) {
        return poolsWithPendingChanges(node)
                .flatMap(pool -> pool.devices().stream())
                .flatMap(device -> context.allocated().ofDevice(device.id()).stream())
                .map(AllocatedDevice::holder)
                .distinct()
                .toList();
    }

    private Stream<Pool.Usable> usablePools(NodeInfo node) {
        return context.slices().pools(node).stream()
                .flatMap(pool -> pool instanceof Pool.Usable usable ? Stream.of(usable) : Stream.empty());
    }

    private SliceIndex changed(Set<PoolId> pools, AllocatedDevices rest) {
        var changed = new HashMap<PoolId, List<Slice>>();
        pools.forEach(pool -> pending.slices(
                        pool, context.slices().slices(pool), device -> rest.isAllocated(pool.device(device)))
                .ifPresent(slices -> changed.put(pool, slices)));
        return changed.isEmpty() ? context.slices() : context.slices().replacing(changed);
    }

    /** The devices that a node can access and that have one of these taints. */
    Set<DeviceId> devicesWith(NodeInfo node, List<DeviceTaint> taints) {
        return context.slices().pools(node).stream()
                .flatMap(pool ->
                        pool instanceof Pool.Usable usable ? usable.devices().stream() : Stream.<PoolDevice>empty())
                .filter(device -> device.device().taints().stream().anyMatch(taints::contains))
                .map(PoolDevice::id)
                .collect(Collectors.toSet());
    }

    HypotheticalState tolerating(List<DeviceTaint> taints) {
        return with(context.slices(), context.allocated(), context.options().tolerating(taints));
    }

    /** The state with nothing allocated and every taint tolerated: the best case with the current slices. */
    HypotheticalState unoccupied() {
        var nothing = new AllocatedDevices(List.of(), context.options().groupPolicy());
        return with(context.slices(), nothing, context.options().toleratingEverything());
    }

    /** The state with the slices for a node that are published when only the devices allocated in this state stay in use. */
    HypotheticalState withPendingChanges(NodeInfo node) {
        if (!hasPendingChanges(node)) {
            return this;
        }
        Set<PoolId> pools = usablePools(node).map(Pool.Usable::id).collect(Collectors.toSet());
        HypotheticalState near = on(node);
        return near.with(near.changed(pools, context.allocated()), context.allocated(), context.options());
    }

    /** Whether the slices of any pool that the node sees would change if devices were released. */
    boolean hasPendingChanges(NodeInfo node) {
        return poolsWithPendingChanges(node).findAny().isPresent();
    }

    private Stream<Pool.Usable> poolsWithPendingChanges(NodeInfo node) {
        return usablePools(node)
                .filter(pool -> pending.slices(pool.id(), context.slices().slices(pool.id()), device -> true)
                        .isPresent());
    }

    /** The part of the state that matters for allocations on a node, so that the time for changes is proportional to it. */
    HypotheticalState on(NodeInfo node) {
        List<PoolId> pools = context.slices().pools(node).stream().map(Pool::id).toList();
        return with(context.slices().around(node), context.allocated().ofPools(pools), context.options());
    }

    HypotheticalState withComplete(PoolId pool) {
        return with(context.slices().withComplete(pool), context.allocated(), context.options());
    }

    HypotheticalState withoutSlices(Set<String> names) {
        return with(context.slices().without(names), context.allocated(), context.options());
    }

    private HypotheticalState with(SliceIndex slices, AllocatedDevices allocated, AllocatorOptions options) {
        return new HypotheticalState(
                new AllocationContext(slices, context.classes(), allocated, context.selectors(), options),
                deadline,
                pending,
                others,
                kept);
    }
}
