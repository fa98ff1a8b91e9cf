package dev.fakegpu.junit.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The operator's files, and the options to run it.
 *
 * @param home the directory of {@code quarkus-run.jar}
 * @param options the Java options of the operator's image
 */
record OperatorProgram(Path home, List<String> options) {

    private static final String JAR = "quarkus-run.jar";
    private static final String OPTIONS = "java.options";

    /** The configured operator or, if none is configured, that of {@code fakegpu-testing-operator} on the class path. */
    static OperatorProgram find() {
        return Option.HOME
                .value()
                .map(OperatorProgram::named)
                .orElseGet(() -> of(PackagedOperator.onClassPath().unpackInto(Cache.directory())));
    }

    static OperatorProgram named(String directory) {
        Path home = Path.of(directory).toAbsolutePath();
        for (Path candidate : List.of(home, home.resolve("app"))) {
            if (Files.exists(candidate.resolve(JAR))) {
                return of(candidate);
            }
        }
        throw new ClusterException("%s (or %s): there is no operator in %s: neither %s nor app/%s"
                .formatted(Option.HOME.property(), Option.HOME.variable(), home, JAR, JAR));
    }

    private static OperatorProgram of(Path home) {
        return new OperatorProgram(home, options(home.resolve(OPTIONS)));
    }

    /** The command, which uses the Java of this JVM. */
    List<String> command() {
        var command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(options);
        command.addAll(List.of("-jar", home.resolve(JAR).toString(), "operator"));
        return command;
    }

    private static List<String> options(Path file) {
        if (!Files.exists(file)) {
            return List.of("-Djava.util.logging.manager=org.jboss.logmanager.LogManager");
        }
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
