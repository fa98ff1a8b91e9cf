package dev.fakegpu.engine.cel;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.engine.cel.ComparedQuantity.Bound;
import dev.fakegpu.engine.cel.value.SemanticVersion;
import java.util.Optional;

/** An attribute that an expression compares with a version. */
public record ComparedVersion(String domain, String name, Bound bound, String version) implements ComparedValue {

    /** @throws IllegalArgumentException if the version is malformed */
    public ComparedVersion {
        SemanticVersion.parse(version);
    }

    /** The device's version; empty if it has none there. */
    public Optional<String> in(String driver, Device device) {
        return find(driver, device.attributes())
                .flatMap(value ->
                        value instanceof AttributeValue.VersionValue has ? Optional.of(has.value()) : Optional.empty());
    }

    @Override
    public boolean holds(String driver, Device device) {
        return in(driver, device).filter(this::isMetBy).isPresent();
    }

    /** Whether the comparison is true of a version; false if it is malformed. */
    public boolean isMetBy(String value) {
        try {
            return bound.allows(SemanticVersion.parse(value).compareTo(SemanticVersion.parse(version)));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The text, such as {@code driverVersion of more than 570.0.0}. */
    public String wish() {
        return name + " of " + bound.words() + version;
    }
}
