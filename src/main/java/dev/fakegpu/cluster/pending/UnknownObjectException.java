package dev.fakegpu.cluster.pending;

/** There is no such object, or it cannot be read. The message is for users. */
public final class UnknownObjectException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnknownObjectException(String message) {
        super(message);
    }
}
