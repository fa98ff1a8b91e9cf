/**
 * The custom resource: {@code FakeGpu} in {@code fakegpu.dev/v1alpha1}. The descriptions on the fields are the text of {@code kubectl
 * explain}; limits that a schema can express are annotations here; {@link dev.fakegpu.hardware.inventory} checks the rest.
 */
@NullMarked
package dev.fakegpu.api;

import org.jspecify.annotations.NullMarked;
