package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.ClaimRef;

/** Finds out who uses a claim. */
@FunctionalInterface
public interface ClaimUsers {

    /** Knows no users, for places where pods are not known. */
    ClaimUsers UNKNOWN = claim -> ClaimUse.UNKNOWN;

    ClaimUse of(ClaimRef claim);

    /** Uses another source for claims of which this one knows nothing. */
    default ClaimUsers or(ClaimUsers other) {
        return claim -> {
            ClaimUse use = of(claim);
            return use.equals(ClaimUse.UNKNOWN) ? other.of(claim) : use;
        };
    }
}
