package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.allocate.pool.SelectorVerdict;

/** An error that ends an allocation before the search starts. */
public sealed interface RequestError {

    /**
     * The device class does not exist.
     *
     * @param deviceClass the name of the class; empty if the request names none
     */
    record UnknownClass(ClaimRef claim, String request, String deviceClass) implements RequestError {}

    /**
     * The claim would get more devices than a claim can have.
     *
     * @param count the number of devices that the request adds
     * @param before the minimum number of devices that the requests before it need
     */
    record TooManyDevices(ClaimRef claim, String request, long count, long before, int limit) implements RequestError {}

    /** The request uses something that is unknown or disabled. */
    record Unsupported(ClaimRef claim, String request, String message) implements RequestError {}

    /** The request is for all devices, but not all of them are known. */
    record PoolUnusable(ClaimRef claim, String request, Pool pool) implements RequestError {}

    /** The request is for all devices, and a selector fails on one of them. */
    record SelectorFailed(DeviceId device, SelectorVerdict.Origin origin, String message) implements RequestError {}

    /** Any other error. */
    record Other(String message) implements RequestError {}
}
