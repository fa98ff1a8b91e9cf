package dev.fakegpu.dra;

import java.util.List;

/**
 * Configuration that is passed to a driver unchanged.
 *
 * @param requests the requests that it applies to; empty means all requests of the claim, as always for configuration of a class
 * @param parameters the driver's object, byte for byte
 */
public record OpaqueConfig(List<String> requests, String driver, RawJson parameters) {

    public OpaqueConfig {
        requests = List.copyOf(requests);
    }

    public OpaqueConfig forRequests(List<String> names) {
        return new OpaqueConfig(names, driver, parameters);
    }
}
