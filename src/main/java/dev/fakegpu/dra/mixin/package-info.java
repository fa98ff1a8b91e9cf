/**
 * Slices as KEP-5234 proposes them, whose devices and counter sets include mixins. {@link dev.fakegpu.dra.mixin.MixedSlice} has the slice
 * as written, {@link dev.fakegpu.dra.mixin.Mixins} resolves its mixins, and {@link dev.fakegpu.dra.mixin.MixinsGate} says what schedulers
 * see of it. No released API serves mixins.
 */
@NullMarked
package dev.fakegpu.dra.mixin;

import org.jspecify.annotations.NullMarked;
