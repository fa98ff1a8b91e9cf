package dev.fakegpu.util;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** How long the current thread has been computing. Unlike time on the wall, it does not pass while other processes have the processor. */
public final class ThreadCpuTime {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private ThreadCpuTime() {}

    /** In nanoseconds, to be compared with other values of the same thread; elapsed time where the JVM does not measure processor time. */
    public static long nanos() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : Ticker.SYSTEM.nanos();
    }
}
