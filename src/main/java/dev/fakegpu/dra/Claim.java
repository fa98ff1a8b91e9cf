package dev.fakegpu.dra;

import java.util.List;

/** What a ResourceClaim asks for. */
public record Claim(
        ClaimRef ref, List<DeviceRequest> requests, List<DeviceConstraint> constraints, List<OpaqueConfig> configs) {

    public Claim {
        requests = List.copyOf(requests);
        constraints = List.copyOf(constraints);
        configs = List.copyOf(configs);
    }
}
