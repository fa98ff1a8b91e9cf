package dev.fakegpu.dra;

import java.util.List;

/**
 * One request of a claim: so many devices of a class ({@code exactly} with mode ExactCount).
 *
 * @param name a DNS label, unique in the claim
 * @param selectors CEL expressions that a device must satisfy in addition to those of the class
 * @param count how many devices, 1 or more
 */
public record DeviceRequest(
        String name, String deviceClassName, List<String> selectors, long count, List<DeviceToleration> tolerations) {

    public DeviceRequest {
        selectors = List.copyOf(selectors);
        tolerations = List.copyOf(tolerations);
    }
}
