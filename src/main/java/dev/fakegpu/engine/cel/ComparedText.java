package dev.fakegpu.engine.cel;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import java.util.Optional;

/** An attribute or the driver's name, which an expression compares with a text. */
public record ComparedText(String domain, String name, String text) implements ComparedValue {

    /** Whether the expression compares {@code device.driver}. */
    public boolean isDriver() {
        return name.isEmpty();
    }

    @Override
    public boolean holds(String driver, Device device) {
        return in(driver, device).filter(text::equals).isPresent();
    }

    /** The device's text; empty if it has none there. */
    public Optional<String> in(String driver, Device device) {
        return isDriver()
                ? Optional.of(driver)
                : find(driver, device.attributes())
                        .flatMap(value -> value instanceof AttributeValue.StringValue has
                                ? Optional.of(has.value())
                                : Optional.empty());
    }
}
