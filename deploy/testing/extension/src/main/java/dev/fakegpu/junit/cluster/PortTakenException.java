package dev.fakegpu.junit.cluster;

/** Thrown if another program took a port that had just been free, so the next attempt will probably succeed. */
final class PortTakenException extends ClusterException {

    private static final long serialVersionUID = 1L;

    PortTakenException(String message) {
        super(message);
    }
}
