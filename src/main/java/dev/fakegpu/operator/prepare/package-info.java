/**
 * Preparation: what a DRA driver does when the kubelet calls NodePrepareResources.
 *
 * <p>{@link dev.fakegpu.operator.prepare.ClaimValidator} validates an allocation before anything is set up: first the opaque configuration
 * ({@link dev.fakegpu.operator.prepare.config}), then {@link dev.fakegpu.operator.prepare.HardwareCheck} compares the devices with the
 * hardware that the FakeGpu models ({@link dev.fakegpu.operator.prepare.ModeledHardware}) and with what is already prepared, regardless of
 * which scheduler allocated them and which groups were published. {@link dev.fakegpu.operator.prepare.DeviceStatusWriter} records the
 * result in the claim's {@code status.devices}. {@link dev.fakegpu.operator.prepare.fault} injects faults before the validation.
 *
 * <p>It has two callers: {@code dev.fakegpu.operator.kubelet} on simulated nodes and {@link dev.fakegpu.operator.prepare.plugin} on nodes
 * with a kubelet.
 */
@NullMarked
package dev.fakegpu.operator.prepare;

import org.jspecify.annotations.NullMarked;
