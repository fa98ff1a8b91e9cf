package dev.fakegpu.e2e.bench;

import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The resource usage of a process, from {@code /proc}. */
public record ProcessUse(long pid) {

    /** {@code USER_HZ}, which is 100 on every architecture on which this project is measured. */
    private static final double TICKS_PER_SECOND = 100;

    private static final int USER_TIME = 11;

    /** A process of a control plane, whose ID {@code hack/control-plane} writes to a file beside the kubeconfig. */
    public static ProcessUse of(Path kubeconfig, String program) {
        try {
            return new ProcessUse(Long.parseLong(Files.readString(kubeconfig.resolveSibling(program + ".pid"))
                    .split(" ", 2)[0]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The processor time of all threads, in seconds. */
    public double seconds() {
        String stat = read("stat");
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[USER_TIME + 1])) / TICKS_PER_SECOND;
    }

    /** The resident memory in MiB. */
    public long residentMiB() {
        return status("VmRSS:");
    }

    /** The maximum of the resident memory since the start or {@link #resetPeak}, in MiB. */
    public long peakMiB() {
        return status("VmHWM:");
    }

    public void resetPeak() {
        try {
            Files.writeString(Path.of("/proc", String.valueOf(pid), "clear_refs"), "5");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long status(String field) {
        return read("status")
                        .lines()
                        .filter(line -> line.startsWith(field))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .findFirst()
                        .orElse(0)
                >> 10;
    }

    private String read(String file) {
        return ProjectFiles.read(Path.of("/proc", String.valueOf(pid), file));
    }

    /** The seconds since a value of {@link System#nanoTime}. */
    static double since(long begun) {
        return (System.nanoTime() - begun) / (double) TimeUnit.SECONDS.toNanos(1);
    }
}
