package dev.fakegpu.dra;

import java.util.List;

/**
 * Configuration that is passed through to a driver.
 *
 * @param requests the requests it applies to; empty means all requests of the claim, which is always so for configuration of a class
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
