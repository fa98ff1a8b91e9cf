package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.http.HttpLoggingInterceptor;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what is logged by commands that run without Quarkus and its settings. */
class ConsoleLoggingTest {

    private final Logger root = Logger.getLogger("");
    private final Level before = root.getLevel();

    @AfterEach
    void restoreLevel() {
        root.setLevel(before);
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
    void aBusyMachineIsNoWarningForTheUser() {
        ConsoleLogging.leaveOutNoise();

        assertThat(Logger.getLogger("io.vertx.core.impl.BlockedThreadChecker").isLoggable(Level.WARNING))
                .isFalse();
    }
}
