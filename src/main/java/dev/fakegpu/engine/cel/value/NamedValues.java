package dev.fakegpu.engine.cel.value;

/** A map of a device. It can give more details about a missing key than an ordinary map. */
public interface NamedValues {

    /** The value of a key, or a failure that describes the missing key. */
    MissingName missing(Object key);
}
