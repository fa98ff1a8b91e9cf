package dev.fakegpu.allocate;

import dev.fakegpu.allocate.lookahead.ForwardCheck;
import dev.fakegpu.allocate.pool.Bits;
import dev.fakegpu.allocate.pool.Pool;
import dev.fakegpu.allocate.pool.PoolState;
import dev.fakegpu.allocate.pool.SelectorMatches;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The depth-first search for the first solution: claims, requests and alternatives in their order, devices in the order of trial.
 * Within a request, devices are picked in rising order; each request starts again at the first device. Upstream:
 * {@code allocateOne} in {@code allocator_experimental.go}.
 */
final class Search {

    /** Most searches that succeed undo fewer picks than this. */
    static final int UNDONE_BEFORE_LOOKAHEAD = 16;

    /** How a branch ended. */
    enum End {
        FOUND,
        NONE,
        /** The claim would get more devices than a result can hold, whichever devices are picked. */
        TOO_MANY,
        /** Too many picks were undone; see {@link #run}. */
        STUCK
    }

    private final SearchProblem problem;
    private final List<ResolvedRequest> requests;
    private final NodePools pools;
    private final Candidates candidates;
    private final PartialAllocation partial;
    private final SearchLimit limit;
    private final int[] chosen;
    private final int[] picksOfClaim;
    private long steps;
    private int undone;
    private int maxUndone;
    private @Nullable ForwardCheck forwardCheck;

    /** @param maxUndone how many picks may be undone before the search looks ahead; with 0 it does so from the start */
    Search(SearchProblem problem, SearchLimit limit, int maxUndone) {
        this.problem = problem;
        this.limit = limit;
        this.maxUndone = maxUndone;
        requests = problem.requests();
        pools = problem.pools();
        candidates = problem.candidates();
        partial = problem.partial();
        chosen = new int[requests.size()];
        picksOfClaim = new int[problem.claims().size()];
    }

    /**
     * Looks for a solution, which is then in the picks of the partial allocation. It starts without looking ahead, because most searches
     * succeed at once. If it gets stuck, it starts again with a {@link ForwardCheck}, which costs more to make than a few steps in vain.
     *
     * @throws AllocationException if something fails that the search reaches
     */
    boolean run() {
        End end = maxUndone == 0 ? End.STUCK : serve(0);
        if (end == End.STUCK) {
            maxUndone = Integer.MAX_VALUE;
            forwardCheck = new ForwardCheckFactory(problem).create();
            end = serve(0);
        }
        return end == End.FOUND;
    }

    /** Which variant of a request was taken. */
    RequestVariant chosen(int request) {
        return requests.get(request).variants().get(chosen[request]);
    }

    private End serve(int request) {
        if (request == requests.size()) {
            return End.FOUND;
        }
        ResolvedRequest next = requests.get(request);
        if (!next.hasAlternatives()) {
            return serveWith(request, next.variants().get(0));
        }
        boolean tooMany = true;
        for (int i = 0; i < next.variants().size(); i++) {
            chosen[request] = i;
            End end = serveWith(request, next.variants().get(i));
            if (end == End.FOUND || end == End.STUCK) {
                return end;
            }
            tooMany &= end == End.TOO_MANY;
        }
        return tooMany ? End.TOO_MANY : End.NONE;
    }

    private End serveWith(int request, RequestVariant variant) {
        return isPruned(request, variant, 0) ? End.NONE : fill(request, variant, 0, 0, 0);
    }

    /** Another choice in an earlier claim may leave room for a smaller alternative here, so the limit of a claim ends with it. */
    private End serveNext(int request) {
        End end = serve(request + 1);
        boolean nextIsOfAnotherClaim = request + 1 == requests.size()
                || requests.get(request).claimIndex()
                        != requests.get(request + 1).claimIndex();
        return end == End.TOO_MANY && nextIsOfAnotherClaim ? End.NONE : end;
    }

    /**
     * Picks the devices that a request still needs, then serves the next one.
     *
     * @param filled how many devices the request has already
     */
    private End fill(int request, RequestVariant variant, int filled, int startPool, int startDevice) {
        step(variant);
        if (variant.isAll() && variant.count() == 0) {
            return End.NONE;
        }
        if (filled >= variant.count()) {
            return serveNext(request);
        }
        if (variant.count() - filled > RequestValidator.MAX_RESULTS - picksOfClaim[variant.claimIndex()]) {
            return End.TOO_MANY;
        }
        return variant.isAll()
                ? fillWithAll(request, variant, filled)
                : fillWithAny(request, variant, filled, startPool, startDevice);
    }

    private void step(RequestVariant variant) {
        steps++;
        String reached = limit.reached();
        if (reached != null) {
            throw AllocationException.aborted(reached + " after " + steps + " steps, at device "
                    + (picksOfClaim[variant.claimIndex()] + 1) + " of claim " + variant.claim() + ", request "
                    + variant.resultName());
        }
    }

    private End fillWithAll(int request, RequestVariant variant, int filled) {
        RequestVariant.Place place = variant.all().get(filled);
        return partial.tryPick(variant, place.pool(), place.device())
                ? continueAfterPick(request, variant, filled, place.pool(), place.device())
                : End.NONE;
    }

    private End fillWithAny(int request, RequestVariant variant, int filled, int startPool, int startDevice) {
        for (int pool = startPool; pool < pools.pools().size(); pool++) {
            if (pools.pools().get(pool) instanceof Pool.Usable usable) {
                int start = pool == startPool ? startDevice : 0;
                End end = fillFrom(
                        request, variant, filled, pool, usable.devices().size(), start);
                if (end != End.NONE) {
                    return end;
                }
            }
        }
        return End.NONE;
    }

    private End fillFrom(int request, RequestVariant variant, int filled, int pool, int size, int start) {
        SelectorMatches matches = candidates.selectorMatches(variant, pool);
        PoolState state = partial.state(pool);
        long mask = -1L << start;
        for (int word = start >>> 6; word < Bits.words(size); word++) {
            long open = matches.open(word) & mask;
            open &= variant.isAdmin() ? -1L : ~state.busy(word);
            mask = -1L;
            for (; open != 0; open &= open - 1) {
                int device = (word << 6) + Long.numberOfTrailingZeros(open);
                if (isCandidate(variant, pool, device) && partial.tryPick(variant, pool, device)) {
                    End end = continueAfterPick(request, variant, filled, pool, device);
                    if (end != End.NONE) {
                        return end;
                    }
                }
            }
        }
        return End.NONE;
    }

    private boolean isCandidate(RequestVariant variant, int pool, int device) {
        return !(variant.isAdmin() && partial.isPickedFor(variant.claimIndex(), pool, device))
                && candidates.isSelected(variant, pool, device)
                && partial.fits(variant, pool, device);
    }

    private End continueAfterPick(int request, RequestVariant variant, int filled, int pool, int device) {
        picksOfClaim[variant.claimIndex()]++;
        if (forwardCheck != null) {
            forwardCheck.picked(pool, device);
        }
        End end = isPruned(request, variant, filled + 1)
                ? End.NONE
                : fill(request, variant, filled + 1, pool, device + 1);
        if (end != End.FOUND) {
            partial.undoLast();
            picksOfClaim[variant.claimIndex()]--;
            if (forwardCheck != null) {
                forwardCheck.putBack(pool, device);
            }
            if (++undone > maxUndone) {
                return End.STUCK;
            }
        }
        return end;
    }

    private boolean isPruned(int request, RequestVariant variant, int filled) {
        return forwardCheck != null && !forwardCheck.isPossible(request, variant.id(), variant.count() - filled);
    }
}
