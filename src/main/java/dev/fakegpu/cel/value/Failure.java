package dev.fakegpu.cel.value;

/**
 * The failure of a subexpression. It is a value that travels upwards until a logical operator absorbs it, and functions throw it
 * instead of answering; either way it carries no stack.
 */
public final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Failure(String message) {
        super(message, null, false, false);
    }

    public static Failure noSuchOverload(String function) {
        return new Failure("no such overload: " + function);
    }

    /** The mistake behind most of these, also in KEP-5963's examples, is to leave out the domain. */
    static Failure noSuchKey(Object key) {
        return new Failure(
                "key '" + key
                        + "' is not present in map. Attributes are looked up by domain, then by name; test for optional ones with has()");
    }
}
