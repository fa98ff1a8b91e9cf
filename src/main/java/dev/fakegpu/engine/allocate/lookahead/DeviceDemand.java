package dev.fakegpu.engine.allocate.lookahead;

import java.util.List;

/**
 * A demand for devices.
 *
 * @param variants a single one if it is decided which variant of the request is tried; several if any of them will do
 * @param count the number of devices, or the lowest number of several variants; at most {@link KindCounts#MAX}
 */
record DeviceDemand(List<VariantDemand> variants, int count) {

    static DeviceDemand decided(VariantDemand variant) {
        return new DeviceDemand(List.of(variant), bounded(variant.count()));
    }

    static DeviceDemand undecided(List<VariantDemand> variants) {
        long least = variants.stream().mapToLong(VariantDemand::count).min().orElse(0);
        return new DeviceDemand(variants, bounded(least));
    }

    static int bounded(long count) {
        return (int) Math.max(0, Math.min(count, KindCounts.MAX));
    }

    boolean isDecided() {
        return variants.size() == 1;
    }

    /** The only variant of a decided demand. */
    VariantDemand variant() {
        return variants.get(0);
    }
}
