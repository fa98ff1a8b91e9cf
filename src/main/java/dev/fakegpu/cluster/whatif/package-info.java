/**
 * What would happen if objects were created, changed or deleted: {@link dev.fakegpu.cluster.whatif.ChangedCluster} makes the changes in memory, and
 * {@link dev.fakegpu.cluster.whatif.WhatIf} tries the new and evicted pods and claims in the result, and the pending ones before and after.
 * {@code Trial} is the scheduler: it has nodes checked by {@link dev.fakegpu.cluster.fit.PodFit}, devices allocated by {@link
 * dev.fakegpu.engine.allocate.Allocator}, and failures explained by {@link dev.fakegpu.engine.explain.Explainer}. Nothing is written.
 */
@NullMarked
package dev.fakegpu.cluster.whatif;

import org.jspecify.annotations.NullMarked;
