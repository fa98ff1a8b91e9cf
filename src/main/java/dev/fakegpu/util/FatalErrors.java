package dev.fakegpu.util;

/** Errors after which this process must not go on: a thread that silently ends leaves the others deciding on what it no longer updates. */
public final class FatalErrors {

    private FatalErrors() {}

    /** Hands an error to what handles uncaught ones, which ends the process where {@link #endProcess} was installed. */
    public static void end(Throwable error) {
        Thread thread = Thread.currentThread();
        var handler = Thread.getDefaultUncaughtExceptionHandler();
        if (handler != null) {
            handler.uncaughtException(thread, error);
        } else {
            thread.getThreadGroup().uncaughtException(thread, error);
        }
    }

    /**
     * From now on an error that no thread handles ends the process with a reason, so that Kubernetes starts it again. Other exceptions
     * are logged by the thread's own handler as before.
     */
    public static void endProcess() {
        var before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
            if (thrown instanceof Error) {
                System.err.println("fatal error in thread " + thread.getName() + ", the process ends: " + thrown);
                // Not exit: its hooks could wait for the thread that failed, or need the memory that is missing.
                Runtime.getRuntime().halt(1);
            }
            if (before != null) {
                before.uncaughtException(thread, thrown);
            } else {
                thrown.printStackTrace();
            }
        });
    }
}
