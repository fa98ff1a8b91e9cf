package dev.fakegpu.engine.cel;

/**
 * Lets the caller end an evaluation. It is called before an evaluation begins and then every few thousand cost units, so it may read a
 * clock. Upstream: {@code cel.InterruptCheckFrequency} of cel-go.
 */
@FunctionalInterface
public interface InterruptCheck {

    /** Never ends an evaluation. */
    InterruptCheck NEVER = () -> {};

    /** @throws EvaluationInterrupted if the evaluation must end now */
    void check();
}
