package dev.fakegpu.util;

/** Errors after which this process must end: if only one thread ended, the others would decide on data that it no longer updates. */
public final class FatalErrors {

    private FatalErrors() {}

    /** Passes an error to the handler of uncaught exceptions, which ends the process if {@link #endProcess} was called. */
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
     * Installs a handler: an error that no thread handles ends the process and logs the reason, so that Kubernetes restarts it. Other
     * exceptions are logged by the thread's own handler as before.
     */
    public static void endProcess() {
        var before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
            if (thrown instanceof Error) {
                System.err.println("fatal error in thread " + thread.getName() + ", the process ends: " + thrown);
                // Not exit(): its hooks could wait for the thread that failed, or need the memory that is missing.
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
