package dev.fakegpu.engine.cel.value;

/**
 * An attribute or capacity that an expression looks up although the device does not have it.
 *
 * @param field the field of the device, {@code attributes} or {@code capacity}
 * @param name the name without its domain
 */
public record MissingName(String field, String domain, String name) {}
