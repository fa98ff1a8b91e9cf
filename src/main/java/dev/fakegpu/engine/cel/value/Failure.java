package dev.fakegpu.engine.cel.value;

import org.jspecify.annotations.Nullable;

/**
 * An error, such as a missing key or a division by zero; CEL calls it an error value. Nodes return it to their parent until {@code &&} or
 * {@code
 *
 * } absorbs it. Functions throw it. It has no stack trace.
 */
public final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final int SHOWN_LENGTH = 200;

    private final transient @Nullable MissingName missing;

    public Failure(String message) {
        this(message, null);
    }

    private Failure(String message, @Nullable MissingName missing) {
        super(message, null, false, false);
        this.missing = missing;
    }

    /** The name that the device lacks, if that is the error; otherwise null. */
    public @Nullable MissingName missing() {
        return missing;
    }

    public static Failure noSuchOverload(String function) {
        return new Failure("no such overload: " + function);
    }

    static Failure noSuchKey(Object from, Object key) {
        String text = String.valueOf(key);
        String shown = text.length() <= SHOWN_LENGTH ? text : text.substring(0, SHOWN_LENGTH) + "...";
        return new Failure(
                "key '" + shown + "' is not present in map",
                from instanceof NamedValues named ? named.missing(key) : null);
    }
}
