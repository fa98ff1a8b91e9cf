package dev.fakegpu.util;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** The CPU time of the current thread. Unlike elapsed time, it does not pass while other processes use the processor. */
public final class ThreadCpuTime {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private ThreadCpuTime() {}

    /** CPU time in nanoseconds, to be compared with other values of the same thread; elapsed time if the JVM does not measure CPU time. */
    public static long nanos() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : Ticker.SYSTEM.nanos();
    }
}
