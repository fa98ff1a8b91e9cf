package dev.fakegpu.hardware.dcgm;

/**
 * Who holds a device.
 *
 * @param pod for which the claim is reserved; empty if there is none
 * @param container of the pod that uses the claim; empty if that is not known
 * @param runs whether the pod runs
 */
public record Holder(String namespace, String claim, String pod, String container, boolean runs) {}
