package dev.fakegpu.engine.problemfile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** An allocator that is called through a pipe, such as upstream's: {@code hack/oracle}. */
public final class Oracle implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int BUILD_MINUTES = 5;

    private final Process process;
    private final BufferedWriter problems;
    private final BufferedReader answers;

    private Oracle(Process process) {
        this.process = process;
        problems = process.outputWriter();
        answers = process.inputReader();
    }

    /** Starts upstream's allocator as {@link #built} does. */
    static Optional<Oracle> start(String... options) throws IOException, InterruptedException {
        return built("hack/oracle/build", options);
    }

    /**
     * Starts a program, which is built first if necessary. If that is not possible, the result is empty, and the reason is printed.
     *
     * @param script a script that builds the program and prints its path
     */
    public static Optional<Oracle> built(String script, String... options) throws IOException, InterruptedException {
        Process build = new ProcessBuilder(script)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String program = build.inputReader().readLine();
        if (!build.waitFor(BUILD_MINUTES, TimeUnit.MINUTES) || build.exitValue() != 0 || program == null) {
            System.out.println("Skipped: upstream's code cannot be asked here, because " + script + " failed.");
            return Optional.empty();
        }
        return Optional.of(
                run(Stream.concat(Stream.of(program), Stream.of(options)).toArray(String[]::new)));
    }

    /** Starts any program that reads problems and writes answers. */
    public static Oracle run(String... command) throws IOException {
        return new Oracle(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    public JsonNode ask(JsonNode problem) {
        send(problem);
        return receive();
    }

    /** Sends a problem. The caller can do other work until it reads the answer. */
    public void send(JsonNode problem) {
        try {
            problems.write(problem.toString());
            problems.newLine();
            problems.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public JsonNode receive() {
        try {
            String answer = answers.readLine();
            if (answer == null) {
                throw new IllegalStateException("the oracle has ended");
            }
            return JSON.readTree(answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
    }
}
