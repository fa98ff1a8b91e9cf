/**
 * Why claims cannot be allocated, first as data, then as one sentence that a person can act on. kube-scheduler says only "cannot
 * allocate all claims"; here the device, the counter set, the groups and the holder are named.
 */
@NullMarked
package dev.fakegpu.explain;

import org.jspecify.annotations.NullMarked;
