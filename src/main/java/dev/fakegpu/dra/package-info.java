/**
 * The types of {@code resource.k8s.io/v1} as immutable values: devices, counter sets, slices, claims, and the exact quantities in
 * them. All decision logic works on these; {@link dev.fakegpu.dra.wire} converts them from and to the client's model.
 */
@NullMarked
package dev.fakegpu.dra;

import org.jspecify.annotations.NullMarked;
