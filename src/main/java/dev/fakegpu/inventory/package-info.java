/**
 * What is on a node: a FakeGpu's spec, checked and spelled out into counter sets and devices. The result says what the hardware
 * can do; {@link dev.fakegpu.inventory.Inventory#published} turns it into what the spec lets others see.
 */
@NullMarked
package dev.fakegpu.inventory;

import org.jspecify.annotations.NullMarked;
