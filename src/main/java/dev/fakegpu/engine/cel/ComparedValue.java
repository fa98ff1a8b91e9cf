package dev.fakegpu.engine.cel;

import dev.fakegpu.dra.Device;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A value of a device that an expression compares with a literal, such as {@code device.attributes["domain"].name == "text"}. */
public sealed interface ComparedValue permits ComparedText, ComparedQuantity, ComparedVersion {

    /** The domain of the attribute or capacity; empty for the driver's name. */
    String domain();

    /** The name of the attribute or capacity; empty for the driver's name. */
    String name();

    /** Whether the device has such a value. */
    boolean holds(String driver, Device device);

    /** The device's entry with this name. Names without a domain are in the driver's domain. */
    default <T> Optional<T> find(String driver, Map<String, T> values) {
        @Nullable T qualified = values.get(domain() + "/" + name());
        return qualified != null || !domain().equals(driver)
                ? Optional.ofNullable(qualified)
                : Optional.ofNullable(values.get(name()));
    }
}
