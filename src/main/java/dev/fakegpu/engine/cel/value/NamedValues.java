package dev.fakegpu.engine.cel.value;

/** A map of a device, which can say more about a key that it lacks than that it lacks it. */
public interface NamedValues {

    /** What is looked up under a key. */
    MissingName missing(Object key);
}
