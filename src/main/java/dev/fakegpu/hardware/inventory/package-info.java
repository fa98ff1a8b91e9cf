/**
 * Turns a FakeGpu's spec into the hardware of a node. {@link dev.fakegpu.hardware.inventory.InventoryPlanner} is the entry point: it
 * validates the spec and returns an {@link dev.fakegpu.hardware.inventory.Inventory} of counter sets and devices. {@code Model*}, {@code
 * Vgpu*} and {@code Mig*} classes build hardware from the catalog, {@code Custom*} classes from {@code
 * spec.custom}, {@code *Check} classes validate, and {@link dev.fakegpu.hardware.inventory.TimedFaults} applies faults that change
 * devices. {@link dev.fakegpu.hardware.inventory.field} reads parts of a spec as values of the DRA API. An inventory describes what the hardware can do; {@link dev.fakegpu.hardware.inventory.Inventory#published} turns it into
 * what is published.
 */
@NullMarked
package dev.fakegpu.hardware.inventory;

import org.jspecify.annotations.NullMarked;
