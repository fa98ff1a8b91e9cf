package dev.fakegpu.junit.cluster;

/** An operator that runs next to a control plane, with administrator access. */
interface OperatorRun extends AutoCloseable {

    boolean isAlive();

    /** Its output so far. */
    String log();

    /** The end of its output, for errors. */
    String lastWords();

    /** Stops it, and returns when it has ended. */
    @Override
    void close();
}
