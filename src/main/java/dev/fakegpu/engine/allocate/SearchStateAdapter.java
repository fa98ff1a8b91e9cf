package dev.fakegpu.engine.allocate;

import dev.fakegpu.engine.allocate.lookahead.CounterComponents;
import dev.fakegpu.engine.allocate.lookahead.SearchState;
import dev.fakegpu.engine.allocate.lookahead.Shares;
import dev.fakegpu.engine.allocate.pool.ConsumedCapacity;
import dev.fakegpu.engine.allocate.pool.PoolState;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Shows a partial allocation to the forward check. */
final class SearchStateAdapter implements SearchState {

    private final List<RequestVariant> variants;
    private final Candidates candidates;
    private final PartialAllocation partial;
    private final GroupTransitions transitions = new GroupTransitions();

    /** @param variants the variants by id */
    SearchStateAdapter(List<RequestVariant> variants, Candidates candidates, PartialAllocation partial) {
        this.variants = variants;
        this.candidates = candidates;
        this.partial = partial;
    }

    @Override
    public void checkLimit(int combinations) {
        candidates.limit().visit(combinations);
    }

    @Override
    public CounterComponents components(int pool) {
        return candidates.pool(pool).caches().components();
    }

    @Override
    public boolean isShareable(int pool, int device) {
        return candidates.isShareable(pool, device);
    }

    @Override
    public long busy(int pool, int word) {
        return partial.state(pool).busy(word);
    }

    @Override
    public boolean isShared(int pool, int device) {
        return partial.state(pool).isShared(device);
    }

    @Override
    public long[] freeCounters(int pool) {
        return partial.state(pool).free();
    }

    @Override
    public int groups(int pool, int counterSet) {
        return transitions.number(partial.state(pool).group(counterSet));
    }

    /** If groups are not checked, every device can join. */
    @Override
    public int join(int groups, List<String> declared) {
        return partial.checksGroups() ? transitions.join(groups, declared) : groups;
    }

    @Override
    public Shares shares(int pool, int device) {
        return new MoreShares(pool, device, null);
    }

    /** The shares of a device in the partial allocation, and additional ones. */
    private final class MoreShares implements Shares {
        private final int pool;
        private final int device;
        private final BigDecimal @Nullable [] more;

        /** @param more the capacity taken by the additional shares; null for none */
        MoreShares(int pool, int device, BigDecimal @Nullable [] more) {
            this.pool = pool;
            this.device = device;
            this.more = more;
        }

        @Override
        public @Nullable Shares plus(int variant) {
            ConsumedCapacity.Amounts amounts =
                    Objects.requireNonNull(candidates.amounts(variants.get(variant), pool, device));
            PoolState state = partial.state(pool);
            boolean fits = more == null ? state.fits(device, amounts) : state.fits(device, more, amounts);
            return fits ? new MoreShares(pool, device, amounts.plus(more)) : null;
        }
    }
}
