package dev.fakegpu.cli.input;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Thrown for invalid user input. Each message is shown to the user and names the location of the problem. */
public final class InvalidInputException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<String> messages;

    public InvalidInputException(List<String> messages) {
        super(String.join("; ", messages));
        this.messages = List.copyOf(messages);
    }

    public InvalidInputException(String message) {
        this(List.of(message));
    }

    /** Returns a message such as {@code cannot read /home/me/a100.yaml: no such file}. */
    public static InvalidInputException unreadable(Path file, IOException failure) {
        return new InvalidInputException("cannot read " + file.toAbsolutePath() + ": " + reason(failure));
    }

    /**
     * For objects in files.
     *
     * @param messages each begins with kind and name of an object, and gets its file before it and its line after it
     */
    public static InvalidInputException about(Collection<Manifest> manifests, Collection<String> messages) {
        return new InvalidInputException(messages.stream()
                .flatMap(message -> located(manifests, message).stream())
                .toList());
    }

    private static List<String> located(Collection<Manifest> manifests, String message) {
        List<Manifest> named = manifests.stream()
                .filter(manifest -> message.startsWith(object(manifest)))
                .toList();
        if (named.size() == 1) {
            Manifest only = named.get(0);
            return only.located(List.of(message.substring(object(only).length())));
        }
        // Objects of several namespaces: the message does not say which one it is about.
        String files = named.stream().map(Manifest::source).distinct().collect(Collectors.joining(" or "));
        return List.of(files.isEmpty() ? message : files + ": " + message);
    }

    private static String object(Manifest manifest) {
        return manifest.kind() + " " + manifest.name() + ": ";
    }

    /**
     * Processes all inputs, even if some of them are invalid.
     *
     * @throws InvalidInputException with the messages of all invalid inputs
     */
    static <T> void collect(Collection<T> inputs, Consumer<T> use) {
        var problems = new ArrayList<String>();
        for (T input : inputs) {
            try {
                use.accept(input);
            } catch (InvalidInputException e) {
                problems.addAll(e.messages());
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems);
        }
    }

    private static @Nullable String reason(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "no such file";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof CharacterCodingException) {
            return "it is not text in UTF-8";
        }
        return failure instanceof FileSystemException e && e.getReason() != null ? e.getReason() : failure.getMessage();
    }

    public List<String> messages() {
        return messages;
    }
}
