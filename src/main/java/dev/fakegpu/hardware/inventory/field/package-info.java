/**
 * Reads parts of a FakeGpu's spec as values of the DRA API, such as attributes, capacities and taints. Each class checks and reads one
 * part. It takes the part and its path, and returns a value or {@link dev.fakegpu.hardware.inventory.field.Problems}, which have the path,
 * the value and what is allowed. Nothing here knows which devices exist.
 */
@NullMarked
package dev.fakegpu.hardware.inventory.field;

import org.jspecify.annotations.NullMarked;
