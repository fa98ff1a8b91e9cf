package dev.fakegpu.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Runs {@code hack/control-plane}, so that tests use the same control plane as people. */
final class ScriptControlPlaneSource implements ControlPlaneSource {

    private static final Logger LOG = Logger.getLogger(ScriptControlPlaneSource.class);
    private static final AtomicInteger STARTED = new AtomicInteger();

    private final String script = ProjectFiles.resolve("hack/control-plane").toString();

    @Override
    public Instance start(ControlPlaneOptions options) {
        // Several JVMs may run tests at the same time, and one JVM may have several control planes.
        String name = "test-" + ProcessHandle.current().pid() + "-" + STARTED.incrementAndGet();
        var instance = new ScriptInstance(script, name);
        try {
            instance.up(options);
            return instance;
        } catch (RuntimeException e) {
            instance.close();
            throw e;
        }
    }

    private static final class ScriptInstance implements Instance {

        private final String script;
        private final String name;
        private final AtomicBoolean closed = new AtomicBoolean();
        private final Thread onExit = new Thread(this::end, "control-plane-down");
        private volatile @Nullable Process starting;
        private @Nullable Path kubeconfig;

        ScriptInstance(String script, String name) {
            this.script = script;
            this.name = name;
        }

        void up(ControlPlaneOptions options) {
            // The hook is added before the start, since an aborted run closes nothing.
            Runtime.getRuntime().addShutdownHook(onExit);
            var command = new ArrayList<>(List.of(script, "up", "--name", name));
            command.addAll(arguments(options));
            Process process = begin(command);
            starting = process;
            output(process, command);
            starting = null;
            kubeconfig = findKubeconfig();
        }

        @Override
        public void restart(ControlPlaneOptions options) {
            run("restart", options);
        }

        @Override
        public void snapshot() {
            List<String> command = List.of(script, "snapshot", "--name", name);
            output(begin(command), command);
        }

        @Override
        public void restore(ControlPlaneOptions options) {
            run("restore", options);
        }

        private void run(String verb, ControlPlaneOptions options) {
            var command = new ArrayList<>(List.of(script, verb, "--name", name));
            command.addAll(arguments(options));
            output(begin(command), command);
        }

        /** The script keeps the process ID and the start time of each program in a file beside the kubeconfig. */
        @Override
        public void killApiServer() {
            var file = kubeconfig().resolveSibling("kube-apiserver.pid");
            try {
                long pid = Long.parseLong(Files.readString(file).split(" ", 2)[0]);
                ProcessHandle.of(pid).ifPresent(apiServer -> {
                    apiServer.destroyForcibly();
                    apiServer.onExit().join();
                });
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read " + file, e);
            }
        }

        /** The output of the script's {@code env} is shell code, so a shell evaluates it. */
        private Path findKubeconfig() {
            String code = "eval \"$(\"$0\" env --name \"$1\")\" && printf '%s\\n' \"$KUBECONFIG\"";
            List<String> command = List.of("bash", "-c", code, script, name);
            return Path.of(output(begin(command), command).strip());
        }

        @Override
        public Path kubeconfig() {
            if (kubeconfig == null) {
                throw new IllegalStateException("the control plane " + name + " is not up");
            }
            return kubeconfig;
        }

        @Override
        public void close() {
            try {
                Runtime.getRuntime().removeShutdownHook(onExit);
            } catch (IllegalStateException e) {
                return; // the JVM is shutting down, and the hook stops it
            }
            end();
        }

        private void end() {
            if (!closed.compareAndSet(false, true)) {
                return;
            }
            Process process = starting;
            if (process != null) {
                // The script undoes what it has started. The code below handles the case that it had just finished.
                process.destroy();
                process.onExit().join();
            }
            List<String> command = List.of(script, "down", "--name", name);
            output(begin(command), command);
        }
    }

    private static List<String> arguments(ControlPlaneOptions options) {
        var arguments = new ArrayList<String>();
        add(arguments, "--version", options.version());
        add(arguments, "--feature-gates", options.featureGates());
        add(arguments, "--scheduler-feature-gates", options.schedulerFeatureGates());
        add(arguments, "--runtime-config", options.runtimeConfig());
        add(arguments, "--own-etcd", options.ownEtcd());
        if (!options.components().isEmpty()) {
            String programs = options.components().stream()
                    .map(ControlPlaneOptions.Component::program)
                    .collect(Collectors.joining(","));
            add(arguments, "--with", programs);
        }
        return arguments;
    }

    private static void add(List<String> arguments, String option, @Nullable String value) {
        if (value != null) {
            arguments.add(option);
            arguments.add(value);
        }
    }

    private static Process begin(List<String> command) {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + command.get(0), e);
        }
    }

    /** Returns the output of the process, which must succeed. */
    private static String output(Process process, List<String> command) {
        var output = new StringBuilder();
        try (var reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                LOG.info(line); // the very first start takes minutes and prints its progress
                output.append(line).append('\n');
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read what " + command.get(0) + " says", e);
        }
        int status = process.onExit().join().exitValue();
        if (status != 0) {
            throw new IllegalStateException(String.join(" ", command) + " exited with " + status + ":\n" + output);
        }
        return output.toString();
    }
}
