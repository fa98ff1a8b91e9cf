package dev.fakegpu.dra;

/** Finds out who uses a claim. */
@FunctionalInterface
public interface ClaimUsers {

    /** Where pods are not known. */
    ClaimUsers UNKNOWN = claim -> ClaimUse.UNKNOWN;

    ClaimUse of(ClaimRef claim);
}
