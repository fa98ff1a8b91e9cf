package dev.fakegpu.engine.allocate.lookahead;

import dev.fakegpu.dra.Quantity;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The devices that one variant of a request needs. A variant is one of the request's alternatives, or the request itself if it has none.
 *
 * @param id the number of the variant among all variants of the search
 * @param count the number of devices
 * @param eligible the eligible devices
 * @param capacity the capacity that it requests from each device; null for none
 */
public record VariantDemand(
        int id, long count, DeviceSet eligible, @Nullable Map<String, Quantity> capacity) {}
