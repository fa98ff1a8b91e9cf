package dev.fakegpu.junit.cluster;

/** An operator that runs beside a control plane, with an administrator's rights. */
interface OperatorRun extends AutoCloseable {

    boolean isAlive();

    /** What it has said so far. */
    String log();

    /** For errors: the end of what it has said. */
    String lastWords();

    /** Ends it and returns when it has ended. */
    @Override
    void close();
}
