package dev.fakegpu.junit.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.junit.cluster.TetheredProcess.Command;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TetheredProcessTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String ENDLESS = "echo $$; exec sleep 1000";

    @TempDir
    Path folder;

    /** A JVM that is killed without a chance to stop anything. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] args) throws IOException {
            start(Path.of(args[0]));
            System.out.println("started");
            System.in.read(); // blocks forever
        }
    }

    @Test
    void endsWhenItIsClosed() throws IOException {
        Path log = folder.resolve("log");
        var process = TetheredProcess.start("endless", log, endless(folder));
        ProcessHandle program = program(log);

        process.close();

        assertThat(process.isAlive()).isFalse();
        assertThat(program.isAlive()).isFalse();
    }

    @Test
    void endsWhenTheJvmIsKilled() throws IOException, InterruptedException {
        Path directory = Files.createDirectory(folder.resolve("of the program"));
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var said = new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(said.readLine()).isEqualTo("started");
        }
        ProcessHandle program = program(directory.resolve("log"));

        jvm.destroyForcibly().waitFor();

        assertThat(Wait.atMost(LIMIT).until(() -> !program.isAlive())).isTrue();
        assertThat(Wait.atMost(LIMIT).until(() -> Files.notExists(directory))).isTrue();
    }

    @Test
    void isOverWhenTheProgramEndsByItself() {
        Path log = folder.resolve("log");

        var process =
                TetheredProcess.start("short", log, Command.of(folder, List.of("/bin/sh", "-c", "echo no; exit 3")));

        assertThat(Wait.atMost(LIMIT).until(() -> !process.isAlive())).isTrue();
        assertThat(process.lastWords()).isEqualTo("short said:\nno");
    }

    @Test
    void mayEndInGoodOrder() throws IOException {
        Path log = folder.resolve("log");
        var command = new Command(
                List.of("/bin/sh", "-c", "trap 'echo bye; exit' TERM; echo $$; while :; do sleep 0.1; done"),
                Map.of(),
                folder,
                LIMIT);
        var process = TetheredProcess.start("polite", log, command);
        program(log);

        process.close();

        assertThat(process.log()).endsWith("bye\n");
    }

    private static void start(Path directory) {
        TetheredProcess.startAndRemove("endless", directory.resolve("log"), endless(directory));
    }

    private static Command endless(Path directory) {
        return Command.of(directory, List.of("/bin/sh", "-c", ENDLESS));
    }

    private static ProcessHandle program(Path log) throws IOException {
        assertThat(Wait.atMost(LIMIT).until(() -> read(log).endsWith("\n"))).isTrue();
        return ProcessHandle.of(Long.parseLong(read(log).strip())).orElseThrow();
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            return "";
        }
    }
}
