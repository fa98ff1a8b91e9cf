package dev.fakegpu.engine.allocate.lookahead;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Groups demands by kind. Demands with the same eligible devices and the same capacity requests are of one kind; beyond
 * {@value KindCounts#KINDS} kinds, the others are merged into the last one. Sets of kinds are bit masks.
 */
final class DemandKinds {

    private final int[] kindOfDemand;
    private final List<DeviceSet> eligible = new ArrayList<>();
    private final List<@Nullable VariantDemand> variants = new ArrayList<>();
    private final int[] demandsOfKind = new int[KindCounts.KINDS];
    private final long total;
    private final @Nullable ParetoFrontier[] oneOf = new ParetoFrontier[1 << KindCounts.KINDS];

    /** @param eligibleOfDemand the devices that are eligible for each demand */
    DemandKinds(List<DeviceDemand> demands, List<DeviceSet> eligibleOfDemand) {
        kindOfDemand = new int[demands.size()];
        long sum = KindCounts.NOTHING;
        for (int demand = 0; demand < kindOfDemand.length; demand++) {
            int kind = kind(demands.get(demand), eligibleOfDemand.get(demand));
            kindOfDemand[demand] = kind;
            demandsOfKind[kind]++;
            int count = demands.get(demand).count();
            sum = KindCounts.with(sum, kind, KindCounts.get(sum, kind) + count);
        }
        total = sum;
    }

    private int kind(DeviceDemand demand, DeviceSet devices) {
        VariantDemand variant = demand.isDecided() ? demand.variant() : null;
        for (int kind = 0; kind < eligible.size(); kind++) {
            if (eligible.get(kind).hasSameDevicesAs(devices) && requestTheSame(variants.get(kind), variant)) {
                return kind;
            }
        }
        if (eligible.size() < KindCounts.KINDS) {
            eligible.add(devices);
            variants.add(variant);
            return eligible.size() - 1;
        }
        int last = KindCounts.KINDS - 1;
        eligible.set(last, eligible.get(last).or(devices));
        variants.set(last, null);
        return last;
    }

    private static boolean requestTheSame(@Nullable VariantDemand left, @Nullable VariantDemand right) {
        return left == right || left != null && right != null && Objects.equals(left.capacity(), right.capacity());
    }

    /** The number of devices of each kind that all demands need together. */
    long total() {
        return total;
    }

    /** The number of devices of each kind that are still missing. */
    long missing(RemainingDemand remaining) {
        long missing = KindCounts.NOTHING;
        for (int demand = 0; demand < kindOfDemand.length; demand++) {
            int kind = kindOfDemand[demand];
            missing = KindCounts.with(missing, kind, KindCounts.get(missing, kind) + remaining.of(demand));
        }
        return missing;
    }

    /** The kinds for which a device is eligible. */
    int eligibleFor(int device) {
        int kinds = 0;
        for (int kind = 0; kind < eligible.size(); kind++) {
            if (eligible.get(kind).contains(device)) {
                kinds |= 1 << kind;
            }
        }
        return kinds;
    }

    int demandsOf(int kind) {
        return demandsOfKind[kind];
    }

    /** A variant that represents all demands of a kind; null if they request different capacity. */
    @Nullable VariantDemand variant(int kind) {
        return variants.get(kind);
    }

    /** What one device can serve that is eligible for these kinds. */
    ParetoFrontier oneOf(int kinds) {
        ParetoFrontier known = oneOf[kinds];
        if (known == null) {
            known = newOneOf(kinds);
            oneOf[kinds] = known;
        }
        return known;
    }

    private static ParetoFrontier newOneOf(int kinds) {
        ParetoFrontier one = ParetoFrontier.empty();
        for (int rest = kinds; rest != 0; rest &= rest - 1) {
            one.add(KindCounts.one(Integer.numberOfTrailingZeros(rest)));
        }
        return one;
    }
}
