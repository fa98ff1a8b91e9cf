package dev.fakegpu.simulate.memory;

import java.util.List;

/** Thrown for invalid input. Each message is for users, and contains the place of the problem, the value and what is allowed. */
public final class SimulationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<String> messages;

    public SimulationException(String message) {
        this(List.of(message));
    }

    public SimulationException(List<String> messages) {
        super(String.join("; ", messages));
        this.messages = List.copyOf(messages);
    }

    public List<String> messages() {
        return messages;
    }
}
