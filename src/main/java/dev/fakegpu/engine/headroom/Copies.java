package dev.fakegpu.engine.headroom;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.Allocator;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.Outcome;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Allocates copies of some claims, either all together or one after the other. */
final class Copies {

    /** More copies than this are not tried, so there are only bounds. */
    static final int MAX_COPIES = 256;

    /** The maximum number of search steps for each number of copies. */
    private static final long MAX_STEPS = 50_000;

    private final AllocationContext context;
    private final List<Claim> claims;

    Copies(AllocationContext context, List<Claim> claims) {
        this.context = context;
        this.claims = claims;
    }

    /** Allocates one copy after the other on the first node where it fits, each with the first devices that fit. */
    Count inOrder(List<NodeInfo> nodes) {
        AllocatedDevices allocated = context.allocated().without(Set.of());
        var allocator = new Allocator(new AllocationContext(
                context.slices(), context.classes(), allocated, context.selectors(), context.options()));
        int copies = 0;
        for (NodeInfo node : nodes) {
            while (copies < MAX_COPIES && allocate(allocator, allocated, node, copies)) {
                copies++;
            }
        }
        return new Count(copies, copies < MAX_COPIES ? copies : Count.UNLIMITED);
    }

    private boolean allocate(Allocator allocator, AllocatedDevices allocated, NodeInfo node, int number) {
        List<Claim> copy = copy(number).toList();
        if (!(allocator.allocate(node, copy, SearchLimit.steps(MAX_STEPS)) instanceof Outcome.Allocated success)) {
            return false;
        }
        for (int i = 0; i < copy.size(); i++) {
            ClaimRef ref = copy.get(i).ref();
            allocated.replace(ref, success.allocations().get(i).heldBy(ref));
        }
        return true;
    }

    /**
     * The number of copies that the allocator can allocate together on a node, whichever devices they get.
     *
     * @param known the number of copies that are known to fit, and an upper bound
     */
    Count together(NodeInfo node, Count known) {
        var allocator = new Allocator(context);
        long fits = known.atLeast();
        long tooMany = Math.min(known.atMost(), MAX_COPIES) + 1;
        boolean exact = known.atMost() <= MAX_COPIES;
        long atMost = known.atMost();
        while (tooMany - fits > 1) {
            // Usually, the number that fit one after the other is already the maximum.
            long tried = fits == known.atLeast() ? fits + 1 : (fits + tooMany) >>> 1;
            Outcome outcome = allocator.allocate(node, copies(tried), SearchLimit.steps(MAX_STEPS));
            if (outcome instanceof Outcome.Allocated) {
                fits = tried;
            } else {
                tooMany = tried;
                exact = outcome instanceof Outcome.None;
                atMost = exact ? tried - 1 : atMost;
            }
        }
        return new Count(fits, exact ? fits : Math.max(fits, atMost));
    }

    private List<Claim> copies(long number) {
        var all = new ArrayList<Claim>();
        for (int i = 0; i < number; i++) {
            copy(i).forEach(all::add);
        }
        return all;
    }

    private Stream<Claim> copy(int number) {
        return claims.stream()
                .map(claim -> new Claim(
                        new ClaimRef(
                                claim.ref().namespace(),
                                claim.ref().name() + "-" + number,
                                claim.ref().uid() + "-copy-" + number),
                        claim.requests(),
                        claim.constraints(),
                        claim.configs()));
    }
}
