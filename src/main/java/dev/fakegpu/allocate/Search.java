package dev.fakegpu.allocate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The depth-first search for the first solution: claims, requests and alternatives in their order, devices in the order of trial.
 * Within a request devices are chosen in rising order; each request starts again at the first device. Upstream:
 * {@code allocateOne} in {@code allocator_experimental.go}.
 */
final class Search {

    /** Most attempts that succeed put back fewer devices than this. */
    static final int PATIENCE = 16;

    /** How a branch ended. */
    enum End {
        FOUND,
        NONE,
        /** The claim would get more devices than a result can hold, whichever devices are picked. */
        TOO_MANY,
        /** Too much was tried in vain; see {@link #run}. */
        STUCK
    }

    private final List<ResolvedRequest> demands;
    private final NodePools pools;
    private final Candidates candidates;
    private final ClaimConstraints constraints;
    private final PartialAllocation attempt;
    private final SearchLimit limit;
    private final int[] chosen;
    private final int[] picksOfClaim;
    private long steps;
    private int undone;
    private int patience;
    private @Nullable ForwardCheck outlook;

    /** @param patience how many devices may be put back before the search looks ahead; with 0 it does so from the start */
    Search(
            List<ResolvedRequest> demands,
            int claims,
            NodePools pools,
            Candidates candidates,
            ClaimConstraints constraints,
            PartialAllocation attempt,
            SearchLimit limit,
            int patience) {
        this.demands = demands;
        this.pools = pools;
        this.candidates = candidates;
        this.constraints = constraints;
        this.attempt = attempt;
        this.limit = limit;
        this.patience = patience;
        chosen = new int[demands.size()];
        picksOfClaim = new int[claims];
    }

    /**
     * Looks for a solution, which is then in the attempt's picks. At first without looking ahead, because most attempts succeed at
     * once; one that does not starts again with an {@link ForwardCheck}, which costs more to make than a few steps in vain.
     *
     * @throws AllocationException if something fails that the search reaches
     */
    boolean run() {
        End end = patience == 0 ? End.STUCK : serve(0);
        if (end == End.STUCK) {
            patience = Integer.MAX_VALUE;
            outlook = ForwardCheck.of(demands, pools, candidates, attempt, constraints);
            end = serve(0);
        }
        return end == End.FOUND;
    }

    /** Which alternative of a request was taken. */
    RequestVariant chosen(int demand) {
        return demands.get(demand).asks().get(chosen[demand]);
    }

    private End serve(int demand) {
        if (demand == demands.size()) {
            return End.FOUND;
        }
        ResolvedRequest next = demands.get(demand);
        if (!next.hasAlternatives()) {
            RequestVariant ask = next.asks().get(0);
            return isHopeless(demand, ask, 0) ? End.NONE : fill(demand, ask, 0, 0, 0);
        }
        boolean tooMany = true;
        for (int i = 0; i < next.asks().size(); i++) {
            chosen[demand] = i;
            End end = isHopeless(demand, next.asks().get(i), 0)
                    ? End.NONE
                    : fill(demand, next.asks().get(i), 0, 0, 0);
            if (end == End.FOUND || end == End.STUCK) {
                return end;
            }
            tooMany &= end == End.TOO_MANY;
        }
        return tooMany ? End.TOO_MANY : End.NONE;
    }

    /** Another choice in an earlier claim may leave room for a smaller alternative here, so the limit of a claim ends with it. */
    private End serveNext(int demand) {
        End end = serve(demand + 1);
        boolean nextIsOfAnotherClaim = demand + 1 == demands.size()
                || demands.get(demand).claimIndex() != demands.get(demand + 1).claimIndex();
        return end == End.TOO_MANY && nextIsOfAnotherClaim ? End.NONE : end;
    }

    private End fill(int demand, RequestVariant ask, int filled, int startPool, int startDevice) {
        step(ask);
        if (ask.isAll() && ask.count() == 0) {
            return End.NONE;
        }
        if (filled >= ask.count()) {
            return serveNext(demand);
        }
        if (ask.count() - filled > RequestValidator.MAX_RESULTS - picksOfClaim[ask.claimIndex()]) {
            return End.TOO_MANY;
        }
        return ask.isAll()
                ? fillWithAll(demand, ask, filled)
                : fillWithAny(demand, ask, filled, startPool, startDevice);
    }

    private void step(RequestVariant ask) {
        steps++;
        String reached = limit.reached();
        if (reached != null) {
            throw AllocationException.aborted(reached + " after " + steps + " steps, at device "
                    + (picksOfClaim[ask.claimIndex()] + 1) + " of claim " + ask.claim() + ", request "
                    + ask.resultName());
        }
    }

    private End fillWithAll(int demand, RequestVariant ask, int filled) {
        RequestVariant.Place place = ask.all().get(filled);
        return attempt.tryPick(ask, place.pool(), place.device())
                ? goOn(demand, ask, filled, place.pool(), place.device())
                : End.NONE;
    }

    private End fillWithAny(int demand, RequestVariant ask, int filled, int startPool, int startDevice) {
        for (int pool = startPool; pool < pools.pools().size(); pool++) {
            if (pools.pools().get(pool) instanceof Pool.Usable usable) {
                int start = pool == startPool ? startDevice : 0;
                End end = fillFrom(demand, ask, filled, pool, usable.devices().size(), start);
                if (end != End.NONE) {
                    return end;
                }
            }
        }
        return End.NONE;
    }

    private End fillFrom(int demand, RequestVariant ask, int filled, int pool, int size, int start) {
        SelectorMatches selection = candidates.selection(ask, pool);
        PoolState books = attempt.books(pool);
        long mask = -1L << start;
        for (int word = start >>> 6; word < Bits.words(size); word++) {
            long open = selection.open(word) & mask;
            open &= ask.isAdmin() ? -1L : ~books.busy(word);
            mask = -1L;
            for (; open != 0; open &= open - 1) {
                int device = (word << 6) + Long.numberOfTrailingZeros(open);
                if (isCandidate(ask, pool, device) && attempt.tryPick(ask, pool, device)) {
                    End end = goOn(demand, ask, filled, pool, device);
                    if (end != End.NONE) {
                        return end;
                    }
                }
            }
        }
        return End.NONE;
    }

    private boolean isCandidate(RequestVariant ask, int pool, int device) {
        return !(ask.isAdmin() && attempt.isPickedFor(ask.claimIndex(), pool, device))
                && candidates.isSelected(ask, pool, device)
                && attempt.fits(ask, pool, device);
    }

    private End goOn(int demand, RequestVariant ask, int filled, int pool, int device) {
        picksOfClaim[ask.claimIndex()]++;
        if (outlook != null) {
            outlook.picked(pool, device);
        }
        End end = isHopeless(demand, ask, filled + 1) ? End.NONE : fill(demand, ask, filled + 1, pool, device + 1);
        if (end != End.FOUND) {
            attempt.undoLast();
            picksOfClaim[ask.claimIndex()]--;
            if (outlook != null) {
                outlook.putBack(pool, device);
            }
            if (++undone > patience) {
                return End.STUCK;
            }
        }
        return end;
    }

    private boolean isHopeless(int demand, RequestVariant ask, int filled) {
        return outlook != null && !outlook.isPossible(demand, ask, filled);
    }
}
