package dev.fakegpu.operator.prepare.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A decoded configuration object of a vendor's API. Its fields are known and have the right types. */
interface VendorConfig {

    /** The only type of device to which it applies; empty if the driver does not check the type. */
    Optional<String> deviceType();

    /** The first value that is invalid or does not apply to these devices. */
    Optional<ConfigError> validate(List<ConfigTarget> targets);

    /** The settings that containers see, as suffixes of variable names and their values. */
    Map<String, String> settings();
}
