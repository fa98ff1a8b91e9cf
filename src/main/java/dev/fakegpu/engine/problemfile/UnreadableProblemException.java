package dev.fakegpu.engine.problemfile;

/** Thrown if the input is not JSON, or JSON that does not have the shape of a problem. */
public final class UnreadableProblemException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String problem;

    UnreadableProblemException(String problem, String message) {
        super(message);
        this.problem = problem;
    }

    /** The problem's name; empty if that could not be read either. */
    public String problem() {
        return problem;
    }
}
