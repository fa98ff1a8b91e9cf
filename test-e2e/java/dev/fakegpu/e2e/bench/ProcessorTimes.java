package dev.fakegpu.e2e.bench;

import dev.fakegpu.testing.ControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The processor time of all threads of a process, user and system. Other load of the machine hardly increases it.
 *
 * @param ofStorage the time of the API server and etcd together
 */
record ProcessorTimes(Duration ofScheduler, Duration ofStorage) {

    /** Reads the times of running processes. */
    record Meter(long scheduler, long apiServer, long etcd, ProcessorTimes begin) {

        /** The times since the beginning. */
        ProcessorTimes end() {
            return new ProcessorTimes(
                    of(scheduler).minus(begin.ofScheduler()),
                    of(apiServer).plus(of(etcd)).minus(begin.ofStorage()));
        }
    }

    /** @param scheduler the process ID of the scheduler */
    static Meter begin(long scheduler, ControlPlane controlPlane) throws IOException {
        long apiServer = pid(controlPlane, "kube-apiserver");
        long etcd = pid(controlPlane, "etcd");
        return new Meter(
                scheduler,
                apiServer,
                etcd,
                new ProcessorTimes(of(scheduler), of(apiServer).plus(of(etcd))));
    }

    /** {@code hack/control-plane} writes the ID and the start time of each process to a file beside the kubeconfig. */
    private static long pid(ControlPlane controlPlane, String program) throws IOException {
        Path file = controlPlane.kubeconfig().resolveSibling(program + ".pid");
        return Long.parseLong(Files.readString(file).split(" ", 2)[0]);
    }

    private static Duration of(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .orElseThrow(() -> new IllegalStateException("process " + pid + " has ended"));
    }
}
