package dev.fakegpu.junit.cluster;

/** Another program took a port that was free a moment before, so that the next attempt is likely to succeed. */
final class PortTakenException extends ClusterException {

    private static final long serialVersionUID = 1L;

    PortTakenException(String message) {
        super(message);
    }
}
