package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.engine.explain.finding.NameScope;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A device that remains published unchanged until it is released.
 *
 * @param claims the claims that hold it
 */
public record RetainedDevice(String device, String pool, List<ClaimRef> claims) {

    public RetainedDevice {
        claims = List.copyOf(claims);
    }

    /** The text {@code <device> in <pool> (<claims>)}. */
    public String text(NameScope reader) {
        return "%s in %s (%s)"
                .formatted(device, pool, claims.stream().map(reader::of).collect(Collectors.joining(", ")));
    }
}
