package dev.fakegpu.junit.cluster;

/** Thrown if the requested cluster is not possible; the message says why, and what would help. */
public class ClusterException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ClusterException(String message) {
        super(message);
    }

    public ClusterException(String message, Throwable cause) {
        super(message, cause);
    }
}
