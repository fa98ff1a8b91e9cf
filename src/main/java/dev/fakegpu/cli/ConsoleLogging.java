package dev.fakegpu.cli;

import io.quarkus.bootstrap.logging.InitialConfigurator;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.jboss.logmanager.handlers.ConsoleHandler;

/** Log messages of commands that run without a Quarkus application, which would hold them back until one starts. */
final class ConsoleLogging {

    /** Netty says at each connection that a Unix socket knows no keep-alive. */
    private static final Logger NETTY = Logger.getLogger("io.netty.bootstrap");

    /** v1alpha1 of our own resource is no news to anybody. */
    private static final Logger API_VERSIONS =
            Logger.getLogger("io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils");

    private ConsoleLogging() {}

    /** In Quarkus' format, to standard output. */
    static void start() {
        NETTY.setLevel(Level.SEVERE);
        API_VERSIONS.setLevel(Level.SEVERE);
        var console = new ConsoleHandler(
                ConsoleHandler.Target.SYSTEM_OUT,
                new PatternFormatter("%d{yyyy-MM-dd HH:mm:ss,SSS} %-5p [%c{3.}] %s%e%n"));
        console.setLevel(Level.INFO);
        InitialConfigurator.DELAYED_HANDLER.setHandlers(new Handler[] {console});
    }
}
