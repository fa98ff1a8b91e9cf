package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.http.HttpLoggingInterceptor;
import io.quarkus.bootstrap.logging.InitialConfigurator;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jboss.logmanager.handlers.ConsoleHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what is logged by commands that run without Quarkus and its settings. */
class ConsoleLoggingTest {

    private static final Logger BLOCKED_THREADS = Logger.getLogger("io.vertx.core.impl.BlockedThreadChecker");

    private final Logger root = Logger.getLogger("");
    private final Level before = root.getLevel();
    private final Handler[] handlers = InitialConfigurator.DELAYED_HANDLER.getHandlers();

    @AfterEach
    void restore() {
        root.setLevel(before);
        BLOCKED_THREADS.setLevel(null);
        InitialConfigurator.DELAYED_HANDLER.setHandlers(handlers);
    }

    /** The client converts each response of the API server to text while its log level may require it. */
    @Test
    void theClientDoesNotLogRequests() {
        root.setLevel(Level.ALL); // the level without a configuration

        ConsoleLogging.leaveOutDetails();

        Logger ofClient = Logger.getLogger(HttpLoggingInterceptor.class.getName());
        assertThat(ofClient.isLoggable(Level.INFO)).isTrue();
        assertThat(ofClient.isLoggable(Level.FINE)).isFalse();
    }

    @Test
    void aBusyMachineIsAWarningOnlyForServices() {
        ConsoleLogging.start(ConsoleHandler.Target.SYSTEM_ERR);
        assertThat(BLOCKED_THREADS.isLoggable(Level.WARNING)).isTrue();

        ConsoleLogging.startForUser(ConsoleHandler.Target.SYSTEM_ERR);
        assertThat(BLOCKED_THREADS.isLoggable(Level.WARNING)).isFalse();
    }
}
