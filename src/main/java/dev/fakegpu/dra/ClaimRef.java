package dev.fakegpu.dra;

/** Identifies a ResourceClaim, by its UID for programs and by its name for people. */
public record ClaimRef(String namespace, String name, String uid) {

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
