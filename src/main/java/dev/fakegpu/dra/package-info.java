/**
 * The types of {@code resource.k8s.io/v1} as immutable values: devices, counter sets, slices, claims, and the exact quantities in them. All
 * code that makes decisions works with these values.
 *
 * <ul>
 *   <li>In: objects of the client's model or JSON, through {@link dev.fakegpu.dra.wire}, the only package that converts them. The fields of
 *       slices are a table in {@link dev.fakegpu.dra.field}.
 *   <li>Out: values with the names of the API.
 *   <li>This package must never know a FakeGpu, an allocator or a client.
 * </ul>
 */
@NullMarked
package dev.fakegpu.dra;

import org.jspecify.annotations.NullMarked;
