package dev.fakegpu.junit.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A program that ends when this JVM does, also if this JVM is killed: a shell between the two reads from a pipe, and ends the program when
 * the pipe does.
 */
final class TetheredProcess implements AutoCloseable {

    private static final Duration LONGEST_END = Duration.ofSeconds(30);
    private static final String SCRIPT = script();

    private final String name;
    private final Path log;
    private final Process shell;

    /**
     * How a program is run.
     *
     * @param environment variables beside those of this JVM
     * @param directory where it runs
     * @param grace how long it may take to end by itself; zero if it is killed
     */
    record Command(List<String> words, Map<String, String> environment, Path directory, Duration grace) {

        /** For a program that keeps nothing, so that it can be killed. */
        static Command of(Path directory, List<String> words) {
            return new Command(words, Map.of(), directory, Duration.ZERO);
        }
    }

    private TetheredProcess(String name, Path log, Process shell) {
        this.name = name;
        this.log = log;
        this.shell = shell;
    }

    /** Starts a program that appends what it says to a file. */
    static TetheredProcess start(String name, Path log, Command command) {
        return start(name, log, command, "");
    }

    /** The same for a program whose directory is removed with it. */
    static TetheredProcess startAndRemove(String name, Path log, Command command) {
        return start(name, log, command, command.directory().toString());
    }

    private static TetheredProcess start(String name, Path log, Command command, String removed) {
        var words = new ArrayList<>(List.of(
                "/bin/sh",
                "-c",
                SCRIPT,
                "tether.sh",
                String.valueOf(command.grace().toSeconds()),
                removed));
        words.addAll(command.words());
        var builder = new ProcessBuilder(words)
                .directory(command.directory().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(command.environment());
        try {
            return new TetheredProcess(name, log, builder.start());
        } catch (IOException e) {
            throw new ClusterException(name + " cannot be started: " + e.getMessage(), e);
        }
    }

    boolean isAlive() {
        return shell.isAlive();
    }

    /** Calls the task, in another thread, when the program has ended. */
    void onEnd(Runnable task) {
        var ignored = shell.onExit().thenRun(task);
    }

    /** What the program has said so far. */
    String log() {
        try {
            return Files.exists(log) ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For errors: the end of what the program has said. */
    String lastWords() {
        List<String> lines = log().lines().toList();
        return name + " said:\n" + String.join("\n", lines.subList(Math.max(0, lines.size() - 10), lines.size()));
    }

    /** Ends the program and returns when it has ended. */
    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
            if (!shell.waitFor(LONGEST_END.toSeconds(), TimeUnit.SECONDS)) {
                shell.destroy();
            }
        } catch (IOException e) {
            shell.destroy(); // which kills the program
        } catch (InterruptedException e) {
            shell.destroy();
            Thread.currentThread().interrupt();
        }
    }

    private static String script() {
        try (InputStream in = Objects.requireNonNull(TetheredProcess.class.getResourceAsStream("tether.sh"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
