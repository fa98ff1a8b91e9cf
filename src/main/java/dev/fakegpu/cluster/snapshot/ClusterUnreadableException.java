package dev.fakegpu.cluster.snapshot;

/** Thrown if the cluster cannot be read at all because it does not respond or rejects the credentials. The message is for users. */
public final class ClusterUnreadableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ClusterUnreadableException(String message, Throwable cause) {
        super(message, cause);
    }
}
