package dev.fakegpu.publish;

import dev.fakegpu.dra.PoolId;
import dev.fakegpu.slices.PoolTarget;
import dev.fakegpu.slices.SliceField;
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
 * @param usesGroups whether any of its devices has groups
 * @param missingFields what its slices would have, and the API server does not keep
 * @param taken pools that an older FakeGpu has, each with its name
 * @param foreignSlices names of slices of somebody else in its pools
 * @param pending devices that stay as they were until they are released, as {@code <device> in <pool> (<claims>)}
 * @param withheld how many devices wait for those
 */
record PublishResult(
        boolean changed,
        List<PoolTarget> targets,
        List<String> foreignNodes,
        boolean leaving,
        GroupPublishing groups,
        boolean usesGroups,
        Set<SliceField> missingFields,
        Map<PoolId, String> taken,
        List<String> foreignSlices,
        List<String> pending,
        int withheld) {}
