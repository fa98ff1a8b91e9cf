package dev.fakegpu.e2e.bench;

import dev.fakegpu.testing.ControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Processor time of all threads of a process, user and system. What else the machine does makes it hardly longer.
 *
 * @param ofStorage of API server and etcd together
 */
record ProcessorTimes(Duration ofScheduler, Duration ofStorage) {

    /** Reads the times of running processes. */
    record Meter(long scheduler, long apiServer, long etcd, ProcessorTimes begin) {

        /** What they took since the beginning. */
        ProcessorTimes end() {
            return new ProcessorTimes(
                    of(scheduler).minus(begin.ofScheduler()),
                    of(apiServer).plus(of(etcd)).minus(begin.ofStorage()));
        }
    }

    /** @param scheduler its process */
    static Meter begin(long scheduler, ControlPlane controlPlane) throws IOException {
        long apiServer = pid(controlPlane, "kube-apiserver");
        long etcd = pid(controlPlane, "etcd");
        return new Meter(
                scheduler,
                apiServer,
                etcd,
                new ProcessorTimes(of(scheduler), of(apiServer).plus(of(etcd))));
    }

    /** {@code hack/control-plane} keeps pid and start time of each process beside the kubeconfig. */
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
