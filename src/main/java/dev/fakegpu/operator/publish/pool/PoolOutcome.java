package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.hardware.slices.SliceField;
import java.util.List;
import java.util.Set;

/**
 * The result of publishing one pool.
 *
 * @param missing fields of the desired slices that the API server does not store
 * @param usesGroups whether any of its devices has compatibility groups
 * @param pending devices that remain unchanged until they are released, with the claims that hold them
 * @param withheld the number of devices that are not published until then
 */
record PoolOutcome(Set<SliceField> missing, boolean usesGroups, List<RetainedDevice> pending, int withheld) {}
