package dev.fakegpu.prepare.plugin;

/** A checkpoint is not as it was written. The message says in what way. */
final class CorruptCheckpointException extends Exception {

    private static final long serialVersionUID = 1L;

    CorruptCheckpointException(String message) {
        super(message);
    }
}
