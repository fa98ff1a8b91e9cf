package dev.fakegpu.engine.allocate.lookahead;

import org.jspecify.annotations.Nullable;

/** Computes what one shareable device can serve, by trying combinations of shares. An instance is used once. */
final class ShareFrontier {

    /** With more combinations than this, the device's capacity is assumed to suffice for all. */
    private static final int MAX_COMBINATIONS = 500;

    private final DemandKinds kinds;
    private final ParetoFrontier frontier = ParetoFrontier.empty();
    private int budget = MAX_COMBINATIONS;

    ShareFrontier(DemandKinds kinds) {
        this.kinds = kinds;
    }

    /**
     * Creates the computation for one device.
     *
     * @param shares the shares that are already allocated
     * @param eligible the kinds that the device can serve
     */
    ParetoFrontier of(Shares shares, int eligible) {
        addCombinations(eligible, shares, KindCounts.NOTHING);
        return budget > 0 ? frontier : ParetoFrontier.of(oneForEachDemand(eligible));
    }

    private long oneForEachDemand(int eligible) {
        long all = KindCounts.NOTHING;
        for (int rest = eligible; rest != 0; rest &= rest - 1) {
            int kind = Integer.numberOfTrailingZeros(rest);
            all = KindCounts.with(all, kind, kinds.demandsOf(kind));
        }
        return all;
    }

    /** A request takes at most one share of a device. */
    private void addCombinations(int rest, Shares shares, long counts) {
        if (rest == 0 || budget-- <= 0) {
            frontier.add(counts);
            return;
        }
        int kind = Integer.numberOfTrailingZeros(rest);
        // Shares of different capacity cannot be added up, so they are assumed to consume nothing.
        VariantDemand variant = kinds.variant(kind);
        @Nullable Shares sum = shares;
        for (int count = 0; count <= kinds.demandsOf(kind) && sum != null; count++) {
            addCombinations(rest & rest - 1, sum, KindCounts.with(counts, kind, count));
            sum = variant == null ? sum : sum.plus(variant.id());
        }
    }
}
