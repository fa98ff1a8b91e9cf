/**
 * Renders the ResourceSlices of a FakeGpu without a cluster: {@link dev.fakegpu.render.PoolLocations} determines the nodes,
 * {@link dev.fakegpu.render.SliceRenderer} the slices that the operator would publish, and {@link
 * dev.fakegpu.render.MixinReport} what KEP-5234 mixins resolve to and save.
 */
@NullMarked
package dev.fakegpu.render;

import org.jspecify.annotations.NullMarked;
