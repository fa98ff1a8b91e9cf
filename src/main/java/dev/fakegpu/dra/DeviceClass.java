package dev.fakegpu.dra;

import java.util.List;

/**
 * A DeviceClass.
 *
 * @param selectors CEL expressions, which are evaluated in order, before those of a request
 * @param configs configuration that the driver gets with every allocation that uses the class
 */
public record DeviceClass(String name, List<String> selectors, List<OpaqueConfig> configs) {

    public DeviceClass {
        selectors = List.copyOf(selectors);
        configs = List.copyOf(configs);
    }
}
