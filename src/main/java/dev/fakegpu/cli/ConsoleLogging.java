package dev.fakegpu.cli;

import dev.fakegpu.util.SafeLogFilter;
import io.quarkus.bootstrap.logging.InitialConfigurator;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.jboss.logmanager.handlers.ConsoleHandler;

/** Logging for commands without a Quarkus application: Quarkus' log manager buffers messages until an application starts. */
final class ConsoleLogging {

    /** This logger warns on every connection that Unix sockets have no keep-alive option. */
    private static final Logger NETTY = Logger.getLogger("io.netty.bootstrap");

    /** This logger warns that our own resource is v1alpha1. */
    private static final Logger API_VERSIONS =
            Logger.getLogger("io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils");

    /** This logger warns, with a stack trace, if a thread has too little processor time for some seconds, as on a busy machine. */
    private static final Logger BLOCKED_THREADS = Logger.getLogger("io.vertx.core.impl.BlockedThreadChecker");

    private static final Logger ROOT = Logger.getLogger("");

    private ConsoleLogging() {}

    /**
     * Sets a log level; otherwise, everything is logged, and the client converts each response of the API server to text that is never
     * printed.
     */
    static void leaveOutDetails() {
        ROOT.setLevel(Level.INFO);
    }

    /** Silences warnings about which a user can do nothing. */
    static void leaveOutNoise() {
        List.of(NETTY, API_VERSIONS).forEach(logger -> logger.setLevel(Level.SEVERE));
    }

    /** Does the same as {@link #start} for a command of a terminal, whose user can do nothing about a busy machine. */
    static void startForUser(ConsoleHandler.Target target) {
        BLOCKED_THREADS.setLevel(Level.SEVERE);
        start(target);
    }

    /** Writes messages in Quarkus' format. */
    static void start(ConsoleHandler.Target target) {
        leaveOutNoise();
        var console =
                new ConsoleHandler(target, new PatternFormatter("%d{yyyy-MM-dd HH:mm:ss,SSS} %-5p [%c{3.}] %s%e%n"));
        console.setLevel(Level.INFO);
        console.setFilter(new SafeLogFilter());
        InitialConfigurator.DELAYED_HANDLER.setHandlers(new Handler[] {console});
    }
}
