package dev.fakegpu.engine.cel.value;

/**
 * An attribute or a capacity that an expression looks up and that a device does not have.
 *
 * @param field the field of the device, {@code attributes} or {@code capacity}
 * @param name without its domain
 */
public record MissingName(String field, String domain, String name) {}
