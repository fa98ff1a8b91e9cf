package dev.fakegpu.dra;

import java.util.List;

/**
 * Configuration that is handed through to a driver.
 *
 * @param requests the requests it is for; empty means all of the claim's. Configuration of a class has none of its own
 * @param parameters the driver's object as it was read; never looked into nor changed here
 */
public record OpaqueConfig(List<String> requests, String driver, Object parameters) {

    public OpaqueConfig {
        requests = List.copyOf(requests);
    }

    public OpaqueConfig forRequests(List<String> names) {
        return new OpaqueConfig(names, driver, parameters);
    }
}
