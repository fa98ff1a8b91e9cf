package dev.fakegpu.engine.allocate.lookahead;

import java.util.List;

/**
 * The devices that one request needs.
 *
 * @param variants in order of preference; empty for a request with admin access, which takes no devices from others
 */
public record RequestDemand(List<VariantDemand> variants) {

    public RequestDemand {
        variants = List.copyOf(variants);
    }
}
