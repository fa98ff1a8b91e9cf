package dev.fakegpu.dra;

/** Identifies a ResourceClaim: by UID, and by name for people. */
public record ClaimRef(String namespace, String name, String uid) {

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
