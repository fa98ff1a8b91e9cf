/**
 * The custom resource: {@code FakeGpu} in {@code fakegpu.dev/v1alpha1}. The descriptions on the fields are the text of
 * {@code kubectl explain}; limits that the schema can say are said here, the others by {@link dev.fakegpu.inventory}.
 */
@NullMarked
package dev.fakegpu.api;

import org.jspecify.annotations.NullMarked;
