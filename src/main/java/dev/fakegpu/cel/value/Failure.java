package dev.fakegpu.cel.value;

/**
 * An error, such as a missing key or a division by zero; CEL calls it an error value. Nodes return it to the node above, until
 * {@code &&} or {@code ||} absorbs it; functions throw it. It carries no stack trace.
 */
public final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final int SHOWN_LENGTH = 200;

    public Failure(String message) {
        super(message, null, false, false);
    }

    public static Failure noSuchOverload(String function) {
        return new Failure("no such overload: " + function);
    }

    /** Usually the expression left out the domain, as KEP-5963's examples do. */
    static Failure noSuchKey(Object key) {
        String text = String.valueOf(key);
        String shown = text.length() <= SHOWN_LENGTH ? text : text.substring(0, SHOWN_LENGTH) + "...";
        return new Failure(
                "key '" + shown
                        + "' is not present in map. Attributes are looked up by domain, then by name; test for optional ones with has()");
    }
}
