package dev.fakegpu.explain;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.PoolId;
import java.util.List;

/** What would make the claims fit on a node; it has been tried. */
public sealed interface Remedy {

    /** If other claims gave back their devices: one of them, or all. */
    record Release(List<ClaimRef> claims) implements Remedy {
        public Release {
            claims = List.copyOf(claims);
        }
    }

    /** If the requests tolerated a taint. */
    record Tolerate(DeviceTaint taint) implements Remedy {}

    /** If the driver had no more slices to publish than are there. */
    record CompletePool(PoolId pool) implements Remedy {}
}
