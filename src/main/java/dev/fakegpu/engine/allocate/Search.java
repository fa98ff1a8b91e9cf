package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.Limits;
import dev.fakegpu.engine.allocate.lookahead.ForwardCheck;
import dev.fakegpu.engine.allocate.pool.Bits;
import dev.fakegpu.engine.allocate.pool.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The depth-first search for the first solution: claims, requests and alternatives in their order, devices in the order of their pools and
 * slices. Within a request, devices are picked in ascending order; each request starts again at the first device. Upstream:
 * {@code allocateOne} in {@code allocator_experimental.go}, which is recursive. Here the levels are objects in a list, since users' pods
 * determine the depth.
 */
final class Search {

    /** Most successful searches undo fewer picks than this. */
    static final int UNDONE_BEFORE_LOOKAHEAD = 16;

    /** How a branch ended. */
    enum End {
        FOUND,
        NONE,
        /** The claim would get more devices than a result can contain, whichever devices are picked. */
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
    private final List<Level> levels = new ArrayList<>();
    private long steps;
    private int undone;
    private int maxUndone;
    private @Nullable ForwardCheck forwardCheck;

    /** @param maxUndone how many picks may be undone before the forward check is used; with 0 it is used from the start */
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
     * Searches for a solution, which is then in the picks of the partial allocation. It starts without the forward check, because most
     * searches succeed at once. If the search is stuck, it is restarted with a {@link ForwardCheck}, whose creation costs more than a few
     * failed steps.
     *
     * @throws AllocationException if something fails that the search reaches
     */
    boolean run() {
        End end = maxUndone == 0 ? End.STUCK : serveAll();
        if (end == End.STUCK) {
            maxUndone = Integer.MAX_VALUE;
            forwardCheck = new ForwardCheckFactory(problem).create();
            end = serveAll();
        }
        return end == End.FOUND;
    }

    /** The variant of a request that was chosen. */
    RequestVariant chosen(int request) {
        return requests.get(request).variants().get(chosen[request]);
    }

    private End serveAll() {
        levels.clear();
        levels.add(new Serving(0));
        @Nullable End end = null;
        while (!levels.isEmpty()) {
            Level last = levels.get(levels.size() - 1);
            int depth = levels.size();
            end = last.resume(end);
            if (end != null) {
                levels.remove(depth - 1);
            }
        }
        return Objects.requireNonNull(end);
    }

    /** A choice of the search, and the possibility to try next. */
    private interface Level {

        /**
         * Continues with the next possibility.
         *
         * @param inner how the level ended that this one started; null the first time
         * @return how this level ended; null if it started an inner level, which is resumed first
         */
        @Nullable End resume(@Nullable End inner);
    }

    /** The alternatives of one request. */
    private final class Serving implements Level {
        private final int request;
        private int next;
        private boolean tooMany = true;

        Serving(int request) {
            this.request = request;
        }

        @Override
        public @Nullable End resume(@Nullable End inner) {
            if (request == requests.size()) {
                return End.FOUND;
            }
            ResolvedRequest served = requests.get(request);
            End end = inner;
            while (true) {
                if (end == End.FOUND || end == End.STUCK) {
                    return end;
                }
                if (end != null) {
                    tooMany &= end == End.TOO_MANY;
                    next++;
                }
                if (next == served.variants().size()) {
                    return tooMany ? End.TOO_MANY : End.NONE;
                }
                chosen[request] = next;
                RequestVariant variant = served.variants().get(next);
                if (!isPruned(request, variant, 0)) {
                    levels.add(new Filling(request, variant, 0, 0, 0));
                    return null;
                }
                end = End.NONE;
            }
        }
    }

    /** Picks the devices that a request still needs, and then those of the later requests. */
    private final class Filling implements Level {
        private final int request;
        private final RequestVariant variant;
        private final int filled;
        private int pool;
        private int word;
        private int words;
        private long mask;
        private long open;
        private int picked;

        /** @param filled the number of devices that the request already has */
        Filling(int request, RequestVariant variant, int filled, int startPool, int startDevice) {
            this.request = request;
            this.variant = variant;
            this.filled = filled;
            pool = startPool;
            word = startDevice >>> 6;
            words = wordsOf(pool);
            mask = -1L << startDevice;
        }

        @Override
        public @Nullable End resume(@Nullable End inner) {
            if (inner == null) {
                return begin();
            }
            if (filled >= variant.count()) {
                return inner == End.TOO_MANY && nextIsOfAnotherClaim() ? End.NONE : inner;
            }
            End end = afterPick(inner);
            return end != End.NONE || variant.isAll() ? end : pickNext();
        }

        private @Nullable End begin() {
            step(variant);
            if (variant.isAll() && variant.count() == 0) {
                return End.NONE;
            }
            if (filled >= variant.count()) {
                levels.add(new Serving(request + 1));
                return null;
            }
            if (variant.count() - filled > Limits.RESULTS - picksOfClaim[variant.claimIndex()]) {
                return End.TOO_MANY;
            }
            return variant.isAll() ? pickOfAll() : pickNext();
        }

        /**
         * Whether the next request belongs to another claim. The limit of a claim must not end the search there, since another choice in an
         * earlier claim may leave room for a smaller alternative here.
         */
        private boolean nextIsOfAnotherClaim() {
            return request + 1 == requests.size()
                    || requests.get(request).claimIndex()
                            != requests.get(request + 1).claimIndex();
        }

        private @Nullable End pickOfAll() {
            RequestVariant.Place place = variant.all().get(filled);
            pool = place.pool();
            return partial.tryPick(variant, pool, place.device()) ? descend(place.device()) : End.NONE;
        }

        /** Picks the next device that can be picked, and starts the next level. */
        private @Nullable End pickNext() {
            for (int device = nextDevice(); device >= 0; device = nextDevice()) {
                if (isCandidate(variant, pool, device) && partial.tryPick(variant, pool, device)) {
                    End end = descend(device);
                    if (end != End.NONE) {
                        return end;
                    }
                }
            }
            return End.NONE;
        }

        /** The next device that is neither rejected nor in use; -1 if there are no more devices. */
        private int nextDevice() {
            while (open == 0) {
                if (!nextWord()) {
                    return -1;
                }
            }
            int device = (word - 1 << 6) + Long.numberOfTrailingZeros(open);
            open &= open - 1;
            return device;
        }

        /** Reads which of the next 64 devices are open, in the next pool if this one has no more. Returns false after the last pool. */
        private boolean nextWord() {
            while (word >= words) {
                pool++;
                if (pool >= pools.pools().size()) {
                    return false;
                }
                word = 0;
                mask = -1L;
                words = wordsOf(pool);
            }
            open = openDevices(word) & mask;
            mask = -1L;
            word++;
            return true;
        }

        private long openDevices(int ofWord) {
            long selectable = candidates.selectorMatches(variant, pool).open(ofWord);
            return variant.isAdmin()
                    ? selectable
                    : selectable & ~partial.state(pool).busy(ofWord);
        }

        /** Starts the level after a pick. If the forward check prunes it, the pick is undone. */
        private @Nullable End descend(int device) {
            picked = device;
            picksOfClaim[variant.claimIndex()]++;
            if (forwardCheck != null) {
                forwardCheck.picked(pool, device);
            }
            if (isPruned(request, variant, filled + 1)) {
                return afterPick(End.NONE);
            }
            levels.add(new Filling(request, variant, filled + 1, pool, device + 1));
            return null;
        }

        private End afterPick(End end) {
            if (end == End.FOUND) {
                return end;
            }
            partial.undoLast();
            picksOfClaim[variant.claimIndex()]--;
            if (forwardCheck != null) {
                forwardCheck.putBack(pool, picked);
            }
            return ++undone > maxUndone ? End.STUCK : end;
        }
    }

    /** The number of words of 64 devices in a pool; 0 if the pool cannot be used. */
    private int wordsOf(int pool) {
        return pool < pools.pools().size() && pools.pools().get(pool) instanceof Pool.Usable usable
                ? Bits.words(usable.devices().size())
                : 0;
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

    private boolean isCandidate(RequestVariant variant, int pool, int device) {
        return !(variant.isAdmin() && partial.isPickedFor(variant.claimIndex(), pool, device))
                && candidates.isSelected(variant, pool, device)
                && partial.fits(variant, pool, device);
    }

    private boolean isPruned(int request, RequestVariant variant, int filled) {
        return forwardCheck != null && !forwardCheck.isPossible(request, variant.id(), variant.count() - filled);
    }
}
