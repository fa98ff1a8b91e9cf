package dev.fakegpu.e2e.support;

import dev.fakegpu.testing.ControlPlane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A separate kube-scheduler, with flags for which {@code hack/control-plane} has no options. */
public final class KubeSchedulerProcess implements AutoCloseable {

    private final Process process;

    private KubeSchedulerProcess(Process process) {
        this.process = process;
        Runtime.getRuntime()
                .addShutdownHook(new Thread(process::destroy, "kube-scheduler-end")); // for runs that are aborted
    }

    public static KubeSchedulerProcess start(Path program, ControlPlane controlPlane, List<String> flags) {
        try {
            var dir = Files.createDirectories(Path.of("target/e2e"));
            String config = controlPlane.kubeconfig().toString();
            var command = new ArrayList<>(List.of(
                    program.toString(),
                    "--kubeconfig=" + config,
                    "--authentication-kubeconfig=" + config,
                    "--authorization-kubeconfig=" + config,
                    "--authentication-skip-lookup",
                    "--leader-elect=false",
                    "--secure-port=0"));
            if (flags.stream().noneMatch(flag -> flag.startsWith("--feature-gates="))) {
                command.add("--feature-gates=DRADeviceCompatibilityGroups=true");
            }
            command.addAll(flags);
            return new KubeSchedulerProcess(new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(
                            Files.createTempFile(dir, "kube-scheduler", ".log").toFile())
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
