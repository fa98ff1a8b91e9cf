package dev.fakegpu.cli;

import java.util.List;

/** What a user gave cannot be used. Each message is for them, and says where it is. */
final class InvalidInputException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<String> messages;

    InvalidInputException(List<String> messages) {
        super(String.join("; ", messages));
        this.messages = List.copyOf(messages);
    }

    InvalidInputException(String message) {
        this(List.of(message));
    }

    List<String> messages() {
        return messages;
    }
}
