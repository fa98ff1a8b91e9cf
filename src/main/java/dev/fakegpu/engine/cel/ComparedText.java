package dev.fakegpu.engine.cel;

/**
 * A text with which an expression compares an attribute, such as {@code device.attributes["domain"].name == "text"}.
 *
 * @param domain of the attribute; empty for the driver's name
 * @param name of the attribute; empty for the driver's name
 */
public record ComparedText(String domain, String name, String text) {

    /** Whether {@code device.driver} is compared. */
    public boolean isDriver() {
        return name.isEmpty();
    }
}
