package dev.fakegpu.hardware.dcgm;

/**
 * The holder of a device.
 *
 * @param pod the pod for which the claim is reserved; empty if there is none
 * @param container the container of the pod that uses the claim; empty if it is not known
 * @param runs whether the pod is running
 */
public record Holder(String namespace, String claim, String pod, String container, boolean runs) {}
