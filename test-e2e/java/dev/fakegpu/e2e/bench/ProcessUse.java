package dev.fakegpu.e2e.bench;

import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** What a process has used of the machine, from {@code /proc}. */
public record ProcessUse(long pid) {

    /** {@code USER_HZ}, which is 100 on every architecture that this project is measured on. */
    private static final double TICKS_PER_SECOND = 100;

    private static final int USER_TIME = 11;

    /** A process of a control plane, which {@code hack/control-plane} keeps in a file beside the kubeconfig. */
    public static ProcessUse of(Path kubeconfig, String program) {
        try {
            return new ProcessUse(Long.parseLong(Files.readString(kubeconfig.resolveSibling(program + ".pid"))
                    .split(" ", 2)[0]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Processor time in seconds, of all threads together. */
    public double seconds() {
        String stat = read("stat");
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[USER_TIME + 1])) / TICKS_PER_SECOND;
    }

    /** Resident memory in MiB. */
    public long residentMiB() {
        return status("VmRSS:");
    }

    /** The most that it was since the beginning or {@link #resetPeak}, in MiB. */
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

    /** Seconds since a moment of {@link System#nanoTime}. */
    static double since(long begun) {
        return (System.nanoTime() - begun) / (double) TimeUnit.SECONDS.toNanos(1);
    }
}
