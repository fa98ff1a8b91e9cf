package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.allocate.pool.ConsumedCapacity;
import dev.fakegpu.engine.allocate.pool.GroupState;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.allocate.pool.PoolDevice;
import dev.fakegpu.engine.allocate.pool.PoolState;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The devices picked so far in one search, and what they leave. Devices are picked one by one and put back in reverse order. Upstream:
 * {@code allocateDevice} and {@code rollbackDevice} in {@code allocator_experimental.go}.
 */
final class PartialAllocation {

    private final NodePools pools;
    private final Candidates candidates;
    private final ClaimConstraints constraints;
    private final AllocatedDevices allocated;
    private final GroupsGate gate;
    private final boolean partitionable;
    private final Supplier<String> shareIds;
    private final @Nullable PoolState[] states;
    private final List<Pick> picks = new ArrayList<>();

    PartialAllocation(
            NodePools pools,
            Candidates candidates,
            ClaimConstraints constraints,
            AllocatedDevices allocated,
            AllocatorOptions options) {
        this.pools = pools;
        this.candidates = candidates;
        this.constraints = constraints;
        this.allocated = allocated;
        gate = options.gate();
        partitionable = options.has(Feature.PARTITIONABLE_DEVICES);
        shareIds = options.shareIds();
        states = new PoolState[pools.pools().size()];
    }

    /**
     * A device that is picked for a request.
     *
     * @param share what is taken of a device that can be shared; null for a whole device
     */
    record Pick(RequestVariant variant, int pool, int device, ConsumedCapacity.@Nullable Amounts share, Undo undo) {

        /** Whether this pick consumes the device's counters. */
        boolean takesCounters() {
            return undo.groupsBefore() != null;
        }
    }

    /**
     * The data that is needed to put a device back.
     *
     * @param groupsBefore null if the pick takes no counters
     * @param marked whether the pick marked the device as busy
     */
    record Undo(BigDecimal @Nullable [] shareBefore, GroupState @Nullable [] groupsBefore, boolean marked) {}

    /** What is left of a usable pool. */
    PoolState state(int pool) {
        PoolState opened = states[pool];
        if (opened == null) {
            Pool.Usable usable = (Pool.Usable) pools.pools().get(pool);
            opened = PoolState.of(usable, allocated, gate);
            states[pool] = opened;
        }
        return opened;
    }

    /** Whether compatibility groups keep devices off counter sets. */
    boolean checksGroups() {
        return gate != GroupsGate.UNAWARE;
    }

    List<Pick> picks() {
        return picks;
    }

    /** Whether the device is picked for a request of the claim. For admin access, only its own claim matters. */
    boolean isPickedFor(int claim, int pool, int device) {
        for (int i = picks.size() - 1; i >= 0 && picks.get(i).variant().claimIndex() == claim; i--) {
            Pick pick = picks.get(i);
            if (pick.device() == device && pick.pool() == pool && pick.share() == null) {
                return true;
            }
        }
        return false;
    }

    /** Whether enough is left of the device's capacity. */
    boolean fits(RequestVariant variant, int pool, int device) {
        if (!candidates.countsCapacity()) {
            return true;
        }
        ConsumedCapacity.Amounts amounts = candidates.amounts(variant, pool, device);
        return amounts != null && state(pool).fits(device, amounts);
    }

    /** Whether the device is not in use. Only its own claim can block admin access. */
    boolean isFree(RequestVariant variant, int pool, int device) {
        return variant.isAdmin()
                ? candidates.isShareable(pool, device) || !isPickedFor(variant.claimIndex(), pool, device)
                : !state(pool).isBusy(device);
    }

    /**
     * Picks a device if it is free and compatible with everything that is allocated and picked.
     *
     * @throws AllocationException if a constraint cannot be evaluated, or if it refuses a device of a request for all devices, since no
     *     other choice can help then
     */
    boolean tryPick(RequestVariant variant, int pool, int device) {
        if (!isFree(variant, pool, device)) {
            return false;
        }
        PoolState state = state(pool);
        PoolDevice picked = state.pool().devices().get(device);
        if (!candidates.supportsNodeOperationsOf(picked) || !supportsCountersOf(picked)) {
            return false;
        }
        boolean shareable = candidates.isShareable(pool, device);
        GroupState[] groupsBefore = null;
        if (takesCounters(pool, device)) {
            groupsBefore = state.take(device);
            if (groupsBefore == null) {
                return false;
            }
        }
        if (!candidates.isTolerated(variant, picked.device()) || !satisfiesConstraints(variant, state, device)) {
            giveBack(state, device, groupsBefore);
            return false;
        }
        if (!fits(variant, pool, device)) {
            constraints.remove(variant);
            giveBack(state, device, groupsBefore);
            return false;
        }
        picks.add(pick(variant, pool, device, groupsBefore, shareable));
        return true;
    }

    boolean supportsCountersOf(PoolDevice device) {
        return partitionable || device.device().consumesCounters().isEmpty();
    }

    /** Whether picking the device consumes counters. The first share of a shared device consumes them for all shares. */
    boolean takesCounters(int pool, int device) {
        PoolState state = state(pool);
        return !state.pool().devices().get(device).device().consumesCounters().isEmpty()
                && !(candidates.isShareable(pool, device) && state.isShared(device));
    }

    private Pick pick(
            RequestVariant variant, int pool, int device, GroupState @Nullable [] groupsBefore, boolean shareable) {
        PoolState state = state(pool);
        if (!shareable) {
            return new Pick(variant, pool, device, null, new Undo(null, groupsBefore, state.markBusy(device)));
        }
        ConsumedCapacity.Amounts share = Objects.requireNonNull(candidates.amounts(variant, pool, device));
        return new Pick(variant, pool, device, share, new Undo(state.takeShare(device, share), groupsBefore, false));
    }

    private boolean satisfiesConstraints(RequestVariant variant, PoolState state, int device) {
        if (constraints.tryAdd(variant, state.pool(), device)) {
            return true;
        }
        if (variant.isAll()) {
            throw variant.failure("cannot add device "
                    + state.pool().devices().get(device).id() + " because a claim constraint would not be satisfied");
        }
        return false;
    }

    private static void giveBack(PoolState state, int device, GroupState @Nullable [] groupsBefore) {
        if (groupsBefore != null) {
            state.giveBack(device, groupsBefore);
        }
    }

    /** Whether the request can use the device, regardless of other picks: features, node operations, taints. */
    boolean isUsable(RequestVariant variant, int pool, int device) {
        PoolDevice published = state(pool).pool().devices().get(device);
        return candidates.supportsNodeOperationsOf(published)
                && supportsCountersOf(published)
                && candidates.isTolerated(variant, published.device());
    }

    /** Puts back the device that was picked last. */
    void undoLast() {
        Pick pick = picks.remove(picks.size() - 1);
        PoolState state = state(pick.pool());
        if (pick.share() != null) {
            state.giveBackShare(pick.device(), pick.undo().shareBefore());
        } else if (pick.undo().marked()) {
            state.unmarkBusy(pick.device());
        }
        constraints.remove(pick.variant());
        giveBack(state, pick.device(), pick.undo().groupsBefore());
    }

    /** The ID and the consumed capacity of the picked share; null for a whole device. */
    AllocatedDevice.@Nullable Share share(Pick pick) {
        ConsumedCapacity.Amounts amounts = pick.share();
        return amounts == null ? null : new AllocatedDevice.Share(shareIds.get(), amounts.byName());
    }
}
