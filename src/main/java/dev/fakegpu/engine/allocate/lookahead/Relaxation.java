package dev.fakegpu.engine.allocate.lookahead;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * An upper bound of what the remaining devices can serve, given the eligible devices of each demand. It relaxes the problem: it does not
 * decide which device serves which demand, and it treats each {@link CounterComponent} separately.
 */
final class Relaxation {

    /** With more alternatives than this, the bound gives up and says that everything is possible. */
    private static final int MAX_FRONTIER = 2048;

    private final SearchState state;
    private final DemandKinds kinds;
    private final Map<Integer, DeviceSet> independentByKinds = new LinkedHashMap<>();
    private final List<ComponentBound> bounds;

    Relaxation(DeviceNumbering numbering, DemandKinds kinds, EligibleComponents components, SearchState state) {
        this.state = state;
        this.kinds = kinds;
        state.checkLimit(numbering.words());
        components.independent().forEach(device -> {
            int eligible = kinds.eligibleFor(device);
            if (eligible != 0) {
                independentByKinds
                        .computeIfAbsent(eligible, ignored -> new DeviceSet(numbering))
                        .add(device);
            }
        });
        var similar = new FrontierCache<ComponentBound.Similar>();
        bounds = IntStream.range(0, components.all().size())
                .mapToObj(index -> new ComponentBound(index, components, numbering, kinds, state, similar))
                .toList();
    }

    boolean canServe(RemainingDemand remaining) {
        long missing = kinds.missing(remaining);
        int missingKinds = KindCounts.nonZeroKinds(missing);
        ParetoFrontier served = independentDevices(missing);
        for (ComponentBound bound : bounds) {
            if (served.covers(missing) || served.size() > MAX_FRONTIER) {
                return true;
            }
            ParetoFrontier more = bound.frontier(missingKinds);
            state.checkLimit(served.size() * more.size());
            served = served.plus(more, missing);
        }
        return served.covers(missing) || served.size() > MAX_FRONTIER;
    }

    private ParetoFrontier independentDevices(long missing) {
        ParetoFrontier sum = ParetoFrontier.ofNothing();
        for (Map.Entry<Integer, DeviceSet> entry : independentByKinds.entrySet()) {
            int eligible = entry.getKey();
            int free = entry.getValue().countFree(state);
            if (Integer.bitCount(eligible) == 1) {
                int kind = Integer.numberOfTrailingZeros(eligible);
                sum = sum.plus(ParetoFrontier.of(KindCounts.with(KindCounts.NOTHING, kind, free)), missing);
            } else {
                sum = plusDevices(sum, free, kinds.oneOf(eligible), missing);
            }
        }
        return sum;
    }

    private static ParetoFrontier plusDevices(ParetoFrontier served, int devices, ParetoFrontier one, long missing) {
        ParetoFrontier sum = served;
        for (int i = 0; i < devices && !sum.covers(missing) && sum.size() <= MAX_FRONTIER; i++) {
            sum = sum.plus(one, missing);
        }
        return sum;
    }
}
