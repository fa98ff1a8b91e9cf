/**
 * The allocator: which devices a node can give to a set of claims, with the same answer as kube-scheduler's. It follows upstream's
 * "experimental" structured allocator ({@code k8s.io/dynamic-resource-allocation/structured/internal/experimental}) for requests
 * of an exact count of devices, with selectors, taints, shared counters and the compatibility groups of KEP-5963.
 */
@NullMarked
package dev.fakegpu.allocate;

import org.jspecify.annotations.NullMarked;
