package dev.fakegpu.junit.cluster;

/** There can be no cluster as it is wanted; the message says why, and what would help. */
public class ClusterException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ClusterException(String message) {
        super(message);
    }

    public ClusterException(String message, Throwable cause) {
        super(message, cause);
    }
}
