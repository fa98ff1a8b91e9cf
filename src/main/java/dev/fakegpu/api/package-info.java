/**
 * The custom resource: {@code FakeGpu} in {@code fakegpu.dev/v1alpha1}, and the labels, annotations and taints that users see.
 *
 * <ul>
 *   <li>In: what users write. The descriptions of the fields are the text of {@code kubectl explain}. Limits that a schema can express are
 *       annotations here; {@code hardware.inventory} checks the others.
 *   <li>Out: spec and status as records.
 *   <li>This package must never know how a FakeGpu is published or allocated.
 * </ul>
 */
@NullMarked
package dev.fakegpu.api;

import org.jspecify.annotations.NullMarked;
