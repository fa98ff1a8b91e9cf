package dev.fakegpu.publish;

import dev.fakegpu.dra.PoolId;
import dev.fakegpu.publish.UpToDatePools.Outcome;
import dev.fakegpu.slices.PoolTarget;
import dev.fakegpu.slices.SliceField;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What became of a FakeGpu.
 *
 * @param changed whether anything was written
 * @param targets the pools that it would have, were it alone
 * @param foreignNodes simulated nodes that it wants and somebody else has
 * @param leaving whether a simulated node that is too many still waits for its pods to end
 * @param groups whether its groups are in its slices
 * @param taken pools that an older FakeGpu has, each with its name
 * @param foreignSlices names of slices of somebody else in its pools
 * @param pools what each of its pools has to tell
 */
record PublishResult(
        boolean changed,
        List<PoolTarget> targets,
        List<String> foreignNodes,
        boolean leaving,
        GroupPublishing groups,
        Map<PoolId, String> taken,
        List<String> foreignSlices,
        List<Outcome> pools) {

    /** Whether any device has groups. */
    boolean usesGroups() {
        return pools.stream().anyMatch(Outcome::usesGroups);
    }

    /** What the slices would have, and the API server does not keep. */
    Set<SliceField> missingFields() {
        var missing = EnumSet.noneOf(SliceField.class);
        pools.forEach(pool -> missing.addAll(pool.missing()));
        return missing;
    }

    /** Devices that stay as they were until they are released, as {@code <device> in <pool> (<claims>)}. */
    List<String> pending() {
        return pools.stream().flatMap(pool -> pool.pending().stream()).toList();
    }

    /** How many devices wait for those. */
    int withheld() {
        return pools.stream().mapToInt(Outcome::withheld).sum();
    }
}
