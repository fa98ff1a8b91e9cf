package dev.fakegpu.dra;

import java.util.List;

/** The requests and constraints of a ResourceClaim. */
public record Claim(
        ClaimRef ref, List<DeviceRequest> requests, List<DeviceConstraint> constraints, List<OpaqueConfig> configs) {

    public Claim {
        requests = List.copyOf(requests);
        constraints = List.copyOf(constraints);
        configs = List.copyOf(configs);
    }
}
