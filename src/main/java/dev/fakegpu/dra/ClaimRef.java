package dev.fakegpu.dra;

/** Which ResourceClaim: its name for people, its UID for identity. */
public record ClaimRef(String namespace, String name, String uid) {

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
