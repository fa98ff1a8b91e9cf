package dev.fakegpu.cluster.snapshot;

/** The cluster cannot be read at all: it does not answer, or rejects the credentials. The message is for users. */
public final class ClusterUnreadableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ClusterUnreadableException(String message, Throwable cause) {
        super(message, cause);
    }
}
