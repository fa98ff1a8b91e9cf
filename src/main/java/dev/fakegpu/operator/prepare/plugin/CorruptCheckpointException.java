package dev.fakegpu.operator.prepare.plugin;

/** Thrown if a checkpoint was damaged after it was written. The message has the details. */
final class CorruptCheckpointException extends Exception {

    private static final long serialVersionUID = 1L;

    CorruptCheckpointException(String message) {
        super(message);
    }
}
