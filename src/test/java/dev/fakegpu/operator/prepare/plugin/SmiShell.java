package dev.fakegpu.operator.prepare.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * An installed shell that runs {@code nvidia-smi} with only the programs that the script needs.
 *
 * @param programs a directory with {@code awk}, {@code date} and {@code sleep}
 */
record SmiShell(List<String> command, Path programs) {

    static final Path SCRIPT = Path.of("src/main/resources/dev/fakegpu/operator/prepare/plugin/nvidia-smi");

    private static final List<String> NEEDED = List.of("awk", "date", "sleep");

    private static final List<SmiShell> OF_THIS_MACHINE = find();

    /** {@code sh} and {@code dash} with the installed programs, also with each alternative awk, and busybox with its own programs. */
    static List<SmiShell> ofThisMachine() {
        return OF_THIS_MACHINE;
    }

    private static List<SmiShell> find() {
        var shells = new ArrayList<SmiShell>();
        for (String awk : List.of("awk", "mawk", "gawk", "original-awk")) {
            program(awk)
                    .ifPresent(path ->
                            shells.add(new SmiShell(List.of(program("sh").orElseThrow()), links(path))));
        }
        program("busybox").ifPresent(path -> shells.add(new SmiShell(List.of(path, "sh"), busybox(path))));
        return List.copyOf(new LinkedHashSet<>(shells));
    }

    private static Path links(String awk) {
        try {
            Path programs = directory();
            Files.createSymbolicLink(programs.resolve("awk"), Path.of(awk));
            for (String name : List.of("date", "sleep")) {
                Files.createSymbolicLink(
                        programs.resolve(name), Path.of(program(name).orElseThrow()));
            }
            return programs;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path busybox(String path) {
        try {
            Path programs = directory();
            for (String name : NEEDED) {
                Files.createSymbolicLink(programs.resolve(name), Path.of(path));
            }
            return programs;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path directory() throws IOException {
        return Files.createTempDirectory(Path.of("target").toAbsolutePath(), "smi-programs");
    }

    private static Optional<String> program(String name) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Path::toString);
    }

    ProcessBuilder process(Path answers, String now, String... arguments) {
        var builder = new ProcessBuilder(new ArrayList<>(command));
        builder.command().add(SCRIPT.toString());
        builder.command().addAll(List.of(arguments));
        builder.environment().clear();
        builder.environment().put("PATH", programs.toString());
        builder.environment().put("FAKEGPU_ANSWERS", answers.toString());
        builder.environment().put("FAKEGPU_NOW", now);
        return builder.redirectErrorStream(true);
    }

    /** The output, which is the same in all shells. */
    static String run(List<SmiShell> shells, Path answers, String now, int exitCode, String... arguments)
            throws IOException, InterruptedException {
        var outputs = new LinkedHashSet<String>();
        for (SmiShell shell : shells) {
            Process process = shell.process(answers, now, arguments).start();
            var output = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(output).isEqualTo(exitCode);
            outputs.add(output);
        }
        assertThat(outputs).as("in %s", shells).hasSize(1);
        return outputs.iterator().next();
    }
}
