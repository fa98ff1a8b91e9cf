package dev.fakegpu.prepare.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A configuration object of a vendor's API, whose fields are known and of the right types. */
interface VendorConfig {

    /** The only type of device that it can be applied to; empty where the driver does not ask. */
    Optional<String> deviceType();

    /** What is wrong with the values, or with applying them to these devices. */
    Optional<ConfigError> flaw(List<ConfigTarget> targets);

    /** What containers are told of it, by name in capitals. */
    Map<String, String> settings();
}
