package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.dra.PoolId;
import dev.fakegpu.hardware.slices.PoolTarget;
import dev.fakegpu.hardware.slices.SliceField;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The result of publishing all pools of a FakeGpu.
 *
 * @param changed whether any slice was written or deleted
 * @param targets the pools that the FakeGpu would publish if it were the only one
 * @param taken the targets that an older FakeGpu publishes, with its name
 * @param announced the nodes whose pools have no devices yet, because the kubelet has not registered the driver
 * @param foreignSlices slices in its pools that do not belong to it, as {@code <slice> in pool <pool>}
 * @param outcomes the result for each pool
 * @param remaining the number of pools that are left for another turn
 * @param limit a sentence that says why no more pools are published; null if there is no limit
 */
public record PoolsResult(
        boolean changed,
        List<PoolTarget> targets,
        Map<PoolId, String> taken,
        List<String> announced,
        List<String> foreignSlices,
        List<PoolOutcome> outcomes,
        int remaining,
        @Nullable String limit) {

    /** Whether any device has compatibility groups. */
    public boolean usesGroups() {
        return outcomes.stream().anyMatch(PoolOutcome::usesGroups);
    }

    /** Fields of the desired slices that the API server does not store. */
    public Set<SliceField> missingFields() {
        var missing = EnumSet.noneOf(SliceField.class);
        outcomes.forEach(pool -> missing.addAll(pool.missing()));
        return missing;
    }

    /** Devices that remain unchanged until they are released. */
    public List<RetainedDevice> pending() {
        return outcomes.stream().flatMap(pool -> pool.pending().stream()).toList();
    }

    /** The number of devices that are not published until then. */
    public int withheld() {
        return outcomes.stream().mapToInt(PoolOutcome::withheld).sum();
    }
}
