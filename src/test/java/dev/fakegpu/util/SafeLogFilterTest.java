package dev.fakegpu.util;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.util.Properties;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.junit.jupiter.api.Test;

class SafeLogFilterTest {

    private static final String FORGED = "a\n2026-01-01 ERROR [operator] forged\u001b[2J\u202e";
    private static final String SAFE = "a 2026-01-01 ERROR [operator] forged\uFFFD[2J\uFFFD";

    private final SafeLogFilter filter = new SafeLogFilter();

    @Test
    void messagesStayOnOneLine() {
        // Given
        var logRecord = new ExtLogRecord(Level.INFO, "claim %s: %d", ExtLogRecord.FormatStyle.PRINTF, "test");
        logRecord.setParameters(new Object[] {FORGED, 5});

        // Then
        assertThat(filter.isLoggable(logRecord)).isTrue();
        assertThat(new PatternFormatter("%s%e").format(logRecord)).isEqualTo("claim " + SAFE + ": 5");
    }

    @Test
    void quietWorkLogsNothing() {
        var logRecord = new LogRecord(Level.INFO, "Scheduled");

        assertThat(QuietWork.of(() -> filter.isLoggable(logRecord))).isFalse();
        assertThat(filter.isLoggable(logRecord)).isTrue();
    }

    @Test
    void messagesOfJavasOwnLoggingAreFilteredToo() {
        // Given
        var logRecord = new LogRecord(Level.INFO, "claim {0}");
        logRecord.setParameters(new Object[] {FORGED});

        // Then
        assertThat(filter.isLoggable(logRecord)).isTrue();
        assertThat(logRecord.getMessage()).isEqualTo("claim " + SAFE);
        assertThat(logRecord.getParameters()).isNull();
    }

    @Test
    void messagesOfExceptionsStayOnOneLine() {
        // Given
        var cause = new IllegalArgumentException(FORGED);
        var failure = new IllegalStateException(FORGED, cause);
        failure.addSuppressed(new RuntimeException(FORGED));
        var logRecord = new ExtLogRecord(Level.WARNING, "failed", "test");
        logRecord.setThrown(failure);

        // When
        filter.isLoggable(logRecord);

        // Then
        assertThat(new PatternFormatter("%s%e").format(logRecord))
                .startsWith("failed: java.lang.IllegalStateException: " + SAFE)
                .contains("Caused by: java.lang.IllegalArgumentException: " + SAFE)
                .contains("Suppressed: java.lang.RuntimeException: " + SAFE)
                .contains("at dev.fakegpu.util.SafeLogFilterTest.messagesOfExceptionsStayOnOneLine")
                .doesNotContain("\n2026");
    }

    @Test
    void circularCausesTerminate() {
        // Given
        var first = new RuntimeException("first");
        first.initCause(new RuntimeException("second", first));
        var logRecord = new ExtLogRecord(Level.INFO, "failed", "test");
        logRecord.setThrown(first);

        // Then
        assertThat(filter.isLoggable(logRecord)).isTrue();
    }

    /** For commands without Quarkus' configuration, {@code ConsoleLogging} installs it. */
    @Test
    void theOperatorsConsoleHasTheFilter() throws IOException {
        var properties = new Properties();
        try (Reader reader =
                Files.newBufferedReader(ProjectFiles.resolve("src/main/resources/application.properties"))) {
            properties.load(reader);
        }
        assertThat(properties).containsEntry("quarkus.log.console.filter", SafeLogFilter.NAME);
    }
}
