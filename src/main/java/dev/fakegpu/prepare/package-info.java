/**
 * Preparation: what a DRA driver does when the kubelet calls NodePrepareResources.
 *
 * <p>{@link dev.fakegpu.prepare.ClaimValidator} validates an allocation before anything is set up: first the opaque configuration ({@link
 * dev.fakegpu.prepare.config}), then {@link dev.fakegpu.prepare.HardwareCheck} compares the devices with the hardware that the FakeGpu
 * models ({@link dev.fakegpu.prepare.ModeledHardware}) and with what is already prepared, regardless of which scheduler allocated them and
 * which groups were published. {@link dev.fakegpu.prepare.DeviceStatusWriter} records the result in the claim's {@code status.devices}.
 * {@link dev.fakegpu.prepare.fault} injects faults before the validation.
 *
 * <p>Two callers share this: {@code dev.fakegpu.kubelet} on simulated nodes and {@link dev.fakegpu.prepare.plugin} on nodes with a kubelet.
 */
@NullMarked
package dev.fakegpu.prepare;

import org.jspecify.annotations.NullMarked;
