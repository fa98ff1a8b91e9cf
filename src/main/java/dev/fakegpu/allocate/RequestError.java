package dev.fakegpu.allocate;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;

/** What ends an attempt before anything is searched for. */
public sealed interface RequestError {

    /**
     * There is no such class.
     *
     * @param deviceClass empty where the request names none
     */
    record UnknownClass(ClaimRef claim, String request, String deviceClass) implements RequestError {}

    /**
     * The claim would get more devices than a claim can have.
     *
     * @param count what the request adds
     * @param before what those before it need at least
     */
    record TooManyDevices(ClaimRef claim, String request, long count, long before, int limit) implements RequestError {}

    /** The request is of a kind that is not known, or that is switched off. */
    record Unsupported(ClaimRef claim, String request, String message) implements RequestError {}

    /** The request is for all devices, and not all of them are known. */
    record PoolUnusable(ClaimRef claim, String request, Pool pool) implements RequestError {}

    /** The request is for all devices, and a selector fails on one of them. */
    record SelectorFailed(DeviceId device, String message) implements RequestError {}

    /** Anything else. */
    record Other(String message) implements RequestError {}
}
