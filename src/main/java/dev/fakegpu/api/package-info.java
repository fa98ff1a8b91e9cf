/**
 * The custom resource: {@code FakeGpu} in {@code fakegpu.dev/v1alpha1}, and the labels, annotations and taints that users see.
 *
 * <ul>
 *   <li>In: what users write. The descriptions on the fields are the text of {@code kubectl explain}; limits that a schema can express are
 *       annotations here, and {@code hardware.inventory} checks the rest.
 *   <li>Out: spec and status as records.
 *   <li>It must never know how a FakeGpu is published or allocated.
 * </ul>
 */
@NullMarked
package dev.fakegpu.api;

import org.jspecify.annotations.NullMarked;
