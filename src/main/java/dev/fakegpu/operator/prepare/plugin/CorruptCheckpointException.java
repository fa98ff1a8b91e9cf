package dev.fakegpu.operator.prepare.plugin;

/** A checkpoint was damaged after it was written. The message says how. */
final class CorruptCheckpointException extends Exception {

    private static final long serialVersionUID = 1L;

    CorruptCheckpointException(String message) {
        super(message);
    }
}
