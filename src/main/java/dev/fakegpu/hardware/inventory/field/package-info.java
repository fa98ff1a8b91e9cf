/**
 * Parts of a FakeGpu's spec as values of the DRA API, such as attributes, capacities and taints: each class checks a part and reads it. In
 * come a part and its path, out come a value, or {@link dev.fakegpu.hardware.inventory.field.Problems} that name path, value and what is
 * allowed. Nothing here knows which devices there are.
 */
@NullMarked
package dev.fakegpu.hardware.inventory.field;

import org.jspecify.annotations.NullMarked;
