/**
 * Opaque configuration of claims and classes ({@code devices.config[].opaque}), decoded and validated as strictly as by the vendors'
 * drivers: {@link dev.fakegpu.operator.prepare.config.OpaqueConfigs} applies it to devices, {@code VendorApi} has the kinds of each driver,
 * and {@link dev.fakegpu.operator.prepare.config.AllocatedConfigs} knows where it was written. Pure: the result is either settings per
 * device or a sentence that says what is wrong.
 */
@NullMarked
package dev.fakegpu.operator.prepare.config;

import org.jspecify.annotations.NullMarked;
