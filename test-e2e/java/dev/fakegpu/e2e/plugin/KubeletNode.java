package dev.fakegpu.e2e.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fakegpu.testing.ControlPlane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/**
 * A cluster with one node that has a real kubelet on this host, which one class at a time can have. The environment variable {@code FAKEGPU_KUBELET_KIT} is the path of the
 * program that creates it. The program has the commands {@code up}, {@code env} and {@code down} with {@code --name NODE --ports FIRST
 * --subnet A.B.C}; {@code env} prints {@code export} lines for KUBECONFIG, KUBELET_ROOT_DIR and CDI_SPEC_DIR, and the kubelet's process ID
 * and start time are in {@code kubelet.pid} beside the kubeconfig. It needs root.
 */
final class KubeletNode implements AutoCloseable {

    static final String NAME = "e2e";

    private static final String PROGRAM = "FAKEGPU_KUBELET_KIT";

    /** The ports are below those among which control planes of other tests choose at random. */
    private static final List<String> PLACE = List.of("--name", NAME, "--ports", "16480", "--subnet", "10.92.0");

    private static final Pattern EXPORT = Pattern.compile("export (\\w+)=(\\S+)");

    private final String program;
    private final Map<String, String> environment;
    private final ControlPlane controlPlane;
    private final FileChannel lock;

    private KubeletNode(String program, Map<String, String> environment, FileChannel lock) {
        this.program = program;
        this.environment = environment;
        this.lock = lock;
        this.controlPlane = ControlPlane.at(Path.of(environment.get("KUBECONFIG")));
    }

    /** Why there can be no such node; empty if there can be one. */
    static Optional<String> missing() {
        String program = System.getenv(PROGRAM);
        if (program == null || !Files.isExecutable(Path.of(program))) {
            return Optional.of("no real kubelet: set %s to a program that starts one; see docs/kubelet-plugin.md"
                    .formatted(PROGRAM));
        }
        return "root".equals(System.getProperty("user.name"))
                ? Optional.empty()
                : Optional.of("no real kubelet: it needs root");
    }

    /** Waits until no other process has the node. */
    static KubeletNode start() {
        String program = System.getenv(PROGRAM);
        FileChannel lock = lock();
        try {
            run(program, "down");
            run(program, "up");
            var environment = new HashMap<String, String>();
            var exports = EXPORT.matcher(run(program, "env"));
            while (exports.find()) {
                environment.put(exports.group(1), exports.group(2));
            }
            var node = new KubeletNode(program, environment, lock);
            node.syncOften();
            return node;
        } catch (RuntimeException e) {
            release(lock);
            throw e;
        }
    }

    private static FileChannel lock() {
        try {
            Path file = Files.createDirectories(Path.of("target/e2e")).resolve("kubelet.lock");
            var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            channel.lock();
            return channel;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The kubelet does not count a failed preparation as an error, and retries with its next sync of the pod, by default after a minute.
     * {@code -Dkubelet.sync=1m} keeps the default.
     */
    private void syncOften() {
        try {
            List<String> command = command(kubelet());
            Path config = Path.of(command.get(command.indexOf("--config") + 1));
            Files.writeString(
                    config,
                    "syncFrequency: " + System.getProperty("kubelet.sync", "5s") + "\n",
                    StandardOpenOption.APPEND);
            restartKubelet();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ControlPlane controlPlane() {
        return controlPlane;
    }

    Path kubeletRoot() {
        return Path.of(environment.get("KUBELET_ROOT_DIR"));
    }

    Path cdiDirectory() {
        return Path.of(environment.get("CDI_SPEC_DIR"));
    }

    /** Kills the kubelet, and starts it again unchanged. */
    void restartKubelet() throws IOException {
        ProcessHandle kubelet = kubelet();
        List<String> command = command(kubelet);
        kubelet.destroyForcibly();
        Awaitility.await().until(() -> !kubelet.isAlive());
        Path log = Files.createTempFile(Path.of("target/e2e"), "kubelet", ".log");
        var again = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .toHandle();
        Files.writeString(pidFile(), again.pid() + " " + startTime(again) + "\n");
    }

    private Path pidFile() {
        return Path.of(environment.get("KUBECONFIG")).resolveSibling("kubelet.pid");
    }

    private ProcessHandle kubelet() throws IOException {
        return ProcessHandle.of(
                        Long.parseLong(Files.readString(pidFile()).trim().split(" ")[0]))
                .orElseThrow();
    }

    private static List<String> command(ProcessHandle process) throws IOException {
        return List.of(Files.readString(proc(process, "cmdline")).split("\0"));
    }

    /** Field 22 of {@code /proc/<pid>/stat}, the 20th after the name in parentheses. */
    private static String startTime(ProcessHandle process) throws IOException {
        String stat = Files.readString(proc(process, "stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19];
    }

    private static Path proc(ProcessHandle process, String file) {
        return Path.of("/proc", Long.toString(process.pid()), file);
    }

    @Override
    public void close() {
        controlPlane.close();
        run(program, "down");
        release(lock);
    }

    private static void release(FileChannel lock) {
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String run(String program, String action) {
        var command = new ArrayList<>(List.of(program, action));
        command.addAll(PLACE);
        try {
            Path log =
                    Files.createTempFile(Files.createDirectories(Path.of("target/e2e")), "kubelet-" + action, ".log");
            var process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            if (!process.waitFor(5, TimeUnit.MINUTES) || (process.exitValue() != 0 && !action.equals("down"))) {
                throw new IllegalStateException("%s failed: %s".formatted(command, Files.readString(log, UTF_8)));
            }
            return Files.readString(log, UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
