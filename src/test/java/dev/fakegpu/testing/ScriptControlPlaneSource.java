package dev.fakegpu.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Runs {@code hack/control-plane}, so that tests and people start the same thing. */
final class ScriptControlPlaneSource implements ControlPlaneSource {

    private static final Logger LOG = Logger.getLogger(ScriptControlPlaneSource.class);
    private static final AtomicInteger STARTED = new AtomicInteger();

    private final Path script = ProjectFiles.resolve("hack/control-plane");

    @Override
    public Instance start(ControlPlaneOptions options) {
        // Several JVMs may test at once, and one may have several control planes.
        String name = "test-" + ProcessHandle.current().pid() + "-" + STARTED.incrementAndGet();
        run(script.toString(), command("up", name, options));
        try {
            return new ScriptInstance(name, kubeconfig(name));
        } catch (RuntimeException e) {
            down(name);
            throw e;
        }
    }

    private static List<String> command(String verb, String name, ControlPlaneOptions options) {
        var command = new ArrayList<>(List.of(verb, "--name", name));
        add(command, "--version", options.version());
        add(command, "--feature-gates", options.featureGates());
        add(command, "--scheduler-feature-gates", options.schedulerFeatureGates());
        if (!options.components().isEmpty()) {
            String programs = options.components().stream()
                    .map(ControlPlaneOptions.Component::program)
                    .collect(Collectors.joining(","));
            add(command, "--with", programs);
        }
        return command;
    }

    private static void add(List<String> command, String option, @Nullable String value) {
        if (value != null) {
            command.add(option);
            command.add(value);
        }
    }

    /** The script's {@code env} is shell code, so a shell says what it means. */
    private Path kubeconfig(String name) {
        String code = "eval \"$(\"$0\" env --name \"$1\")\" && printf '%s\\n' \"$KUBECONFIG\"";
        return Path.of(run("bash", List.of("-c", code, script.toString(), name)).strip());
    }

    private void down(String name) {
        run(script.toString(), List.of("down", "--name", name));
    }

    private static String run(String program, List<String> arguments) {
        List<String> command =
                Stream.concat(Stream.of(program), arguments.stream()).toList();
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            try {
                return await(process, command);
            } finally {
                // After an interrupt or a failure to read: the script ends what it has begun.
                process.destroy();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + command, e);
        }
    }

    private static String await(Process process, List<String> command) throws IOException {
        var output = new StringBuilder();
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                LOG.info(line); // the first start ever takes minutes, and says what it is doing
                output.append(line).append('\n');
            }
            if (process.waitFor() != 0) {
                throw new IllegalStateException(
                        String.join(" ", command) + " exited with " + process.exitValue() + ":\n" + output);
            }
            return output.toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running " + command, e);
        }
    }

    private final class ScriptInstance implements Instance {

        private final String name;
        private final Path kubeconfig;

        ScriptInstance(String name, Path kubeconfig) {
            this.name = name;
            this.kubeconfig = kubeconfig;
            if (!Files.isReadable(kubeconfig)) {
                throw new IllegalStateException("the control plane " + name + " has no kubeconfig at " + kubeconfig);
            }
        }

        @Override
        public Path kubeconfig() {
            return kubeconfig;
        }

        @Override
        public void close() {
            down(name);
        }
    }
}
