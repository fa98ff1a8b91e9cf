package dev.fakegpu.dra;

import java.util.List;

/**
 * What a ResourceClaim asks for.
 *
 * @param unsupported a sentence for each part of the claim that cannot be allocated here as the API means it; a claim with any
 *     is refused as a whole
 */
public record Claim(ClaimRef ref, List<DeviceRequest> requests, List<OpaqueConfig> configs, List<String> unsupported) {

    public Claim {
        requests = List.copyOf(requests);
        configs = List.copyOf(configs);
        unsupported = List.copyOf(unsupported);
    }
}
