package dev.fakegpu.allocate;

import dev.fakegpu.dra.AllocatedDevice;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The devices that were picked so far in one attempt, and what that leaves. Devices are picked one by one and put back in reverse
 * order. Upstream: {@code allocateDevice} and {@code rollbackDevice} in {@code allocator_experimental.go}.
 */
final class PartialAllocation {

    private final NodePools pools;
    private final Candidates candidates;
    private final ClaimConstraints constraints;
    private final AllocatedDevices holdings;
    private final GroupsGate gate;
    private final boolean partitionable;
    private final Supplier<String> shareIds;
    private final @Nullable PoolState[] books;
    private final List<Pick> picks = new ArrayList<>();

    PartialAllocation(
            NodePools pools,
            Candidates candidates,
            ClaimConstraints constraints,
            AllocatedDevices holdings,
            AllocatorOptions options) {
        this.pools = pools;
        this.candidates = candidates;
        this.constraints = constraints;
        this.holdings = holdings;
        gate = options.gate();
        partitionable = options.has(Feature.PARTITIONABLE_DEVICES);
        shareIds = options.shareIds();
        books = new PoolState[pools.pools().size()];
    }

    /**
     * A device picked for a request, with what it takes to put it back.
     *
     * @param share what is taken of a device that can be shared, null for a whole device
     */
    record Pick(
            RequestVariant ask,
            int pool,
            int device,
            ConsumedCapacity.@Nullable Amounts share,
            BigDecimal @Nullable [] shareBefore,
            GroupState @Nullable [] groupsBefore,
            boolean marked) {}

    /** The books of a usable pool. */
    PoolState books(int pool) {
        PoolState opened = books[pool];
        if (opened == null) {
            Pool.Usable usable = (Pool.Usable) pools.pools().get(pool);
            opened = new PoolState(usable, usable.baseline(holdings, gate), gate);
            books[pool] = opened;
        }
        return opened;
    }

    List<Pick> picks() {
        return picks;
    }

    /** Whether a request of a claim has the device already, for those to whom nobody else matters. */
    boolean isPickedFor(int claim, int pool, int device) {
        for (int i = picks.size() - 1; i >= 0 && picks.get(i).ask().claimIndex() == claim; i--) {
            Pick pick = picks.get(i);
            if (pick.device() == device && pick.pool() == pool && pick.share() == null) {
                return true;
            }
        }
        return false;
    }

    /** Whether enough is left of the device's capacity. */
    boolean fits(RequestVariant ask, int pool, int device) {
        if (!candidates.countsCapacity()) {
            return true;
        }
        ConsumedCapacity.Amounts amounts = candidates.amounts(ask, pool, device);
        return amounts != null && books(pool).fits(device, amounts);
    }

    /** Whether nobody stands in the way: for admin access only the same claim does. */
    boolean isFree(RequestVariant ask, int pool, int device) {
        return ask.isAdmin()
                ? candidates.isShareable(pool, device) || !isPickedFor(ask.claimIndex(), pool, device)
                : !books(pool).isBusy(device);
    }

    /**
     * Picks a device if it is free and goes together with all the others.
     *
     * @throws AllocationException if a constraint refuses one of all devices, which no other choice can make right, or cannot be
     *     judged
     */
    boolean tryPick(RequestVariant ask, int pool, int device) {
        if (!isFree(ask, pool, device)) {
            return false;
        }
        PoolState ofPool = books(pool);
        PoolDevice picked = ofPool.pool().devices().get(device);
        if (!candidates.needsNoMissingOperations(picked) || !knowsCountersOf(picked)) {
            return false;
        }
        boolean shareable = candidates.isShareable(pool, device);
        GroupState[] groupsBefore = null;
        if (takesCounters(pool, device)) {
            groupsBefore = ofPool.take(device);
            if (groupsBefore == null) {
                return false;
            }
        }
        if (!candidates.isTolerated(ask, picked.device()) || !satisfiesConstraints(ask, ofPool, device)) {
            giveBack(ofPool, device, groupsBefore);
            return false;
        }
        if (!fits(ask, pool, device)) {
            constraints.remove(ask);
            giveBack(ofPool, device, groupsBefore);
            return false;
        }
        picks.add(pick(ask, pool, device, groupsBefore, shareable));
        return true;
    }

    boolean knowsCountersOf(PoolDevice device) {
        return partitionable || device.device().consumesCounters().isEmpty();
    }

    /** Whether it takes counters to pick the device: those of a shared one are taken by the first who has a share. */
    boolean takesCounters(int pool, int device) {
        PoolState ofPool = books(pool);
        return !ofPool.pool().devices().get(device).device().consumesCounters().isEmpty()
                && !(candidates.isShareable(pool, device) && ofPool.isShared(device));
    }

    private Pick pick(
            RequestVariant ask, int pool, int device, GroupState @Nullable [] groupsBefore, boolean shareable) {
        PoolState ofPool = books(pool);
        if (!shareable) {
            return new Pick(ask, pool, device, null, null, groupsBefore, ofPool.markBusy(device));
        }
        ConsumedCapacity.Amounts share = Objects.requireNonNull(candidates.amounts(ask, pool, device));
        return new Pick(ask, pool, device, share, ofPool.takeShare(device, share), groupsBefore, false);
    }

    private boolean satisfiesConstraints(RequestVariant ask, PoolState ofPool, int device) {
        if (constraints.tryAdd(ask, ofPool.pool(), device)) {
            return true;
        }
        if (ask.isAll()) {
            throw ask.failure("cannot add device "
                    + ofPool.pool().devices().get(device).id() + " because a claim constraint would not be satisfied");
        }
        return false;
    }

    private static void giveBack(PoolState books, int device, GroupState @Nullable [] groupsBefore) {
        if (groupsBefore != null) {
            books.giveBack(device, groupsBefore);
        }
    }

    /** Whether the device can be had by itself, whatever else is picked: features, operations of the node, taints. */
    boolean isUsable(RequestVariant ask, int pool, int device) {
        PoolDevice asked = books(pool).pool().devices().get(device);
        return candidates.needsNoMissingOperations(asked)
                && knowsCountersOf(asked)
                && candidates.isTolerated(ask, asked.device());
    }

    /** Puts back what was picked last. */
    void undoLast() {
        Pick pick = picks.remove(picks.size() - 1);
        PoolState ofPool = books(pick.pool());
        if (pick.share() != null) {
            ofPool.giveBackShare(pick.device(), pick.shareBefore());
        } else if (pick.marked()) {
            ofPool.unmarkBusy(pick.device());
        }
        constraints.remove(pick.ask());
        giveBack(ofPool, pick.device(), pick.groupsBefore());
    }

    /** The identity and the size of what was picked, null for a whole device. */
    AllocatedDevice.@Nullable Share share(Pick pick) {
        ConsumedCapacity.Amounts amounts = pick.share();
        return amounts == null ? null : new AllocatedDevice.Share(shareIds.get(), amounts.byName());
    }
}
