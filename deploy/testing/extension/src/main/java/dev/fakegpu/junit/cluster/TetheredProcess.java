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
 * A program that ends when this JVM does, even if the JVM is killed: a shell in between reads from a pipe, and ends the program when the
 * pipe is closed.
 */
final class TetheredProcess implements AutoCloseable {

    private static final Duration LONGEST_END = Duration.ofSeconds(30);
    private static final String SCRIPT = script();

    private final String name;
    private final Path log;
    private final Process shell;

    /**
     * The command of a program.
     *
     * @param environment variables in addition to those of this JVM
     * @param directory the working directory
     * @param grace how long the program may take to end by itself; zero to kill it
     */
    record Command(List<String> words, Map<String, String> environment, Path directory, Duration grace) {

        /** A command for a program without state, which can be killed. */
        static Command of(Path directory, List<String> words) {
            return new Command(words, Map.of(), directory, Duration.ZERO);
        }
    }

    private TetheredProcess(String name, Path log, Process shell) {
        this.name = name;
        this.log = log;
        this.shell = shell;
    }

    /** Starts a program that appends its output to a file. */
    static TetheredProcess start(String name, Path log, Command command) {
        return start(name, log, command, "");
    }

    /** Does the same for a program whose directory is removed when it ends. */
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

    /** Runs the task in another thread when the program has ended. */
    void onEnd(Runnable task) {
        var ignored = shell.onExit().thenRun(task);
    }

    /** The output of the program so far. */
    String log() {
        try {
            return Files.exists(log) ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The end of the program's output, for errors. */
    String lastWords() {
        List<String> lines = log().lines().toList();
        return name + " said:\n" + String.join("\n", lines.subList(Math.max(0, lines.size() - 10), lines.size()));
    }

    /** Stops the program, and returns when it has ended. */
    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
            if (!shell.waitFor(LONGEST_END.toSeconds(), TimeUnit.SECONDS)) {
                shell.destroy();
            }
        } catch (IOException e) {
            shell.destroy(); // this kills the program
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
