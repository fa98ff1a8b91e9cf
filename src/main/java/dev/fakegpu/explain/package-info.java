/**
 * Why claims cannot be allocated, first as data, then as one sentence that a person can act on, and as a table. kube-scheduler says
 * only "cannot allocate all claims"; here the device, the counter set, the groups and the holder are named. What refuses a device is
 * asked from {@link dev.fakegpu.allocate.Inspection}, so that there is no second copy of the allocator's rules.
 */
@NullMarked
package dev.fakegpu.explain;

import org.jspecify.annotations.NullMarked;
