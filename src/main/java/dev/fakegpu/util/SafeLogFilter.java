package dev.fakegpu.util;

import io.quarkus.logging.LoggingFilter;
import java.util.logging.Filter;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.jboss.logmanager.ExtLogRecord;
import org.jspecify.annotations.Nullable;

/**
 * Applies {@link SafeText} to the messages of all log records, including those of libraries, and to the messages of their exceptions. Many
 * contain names and selectors that users chose, and a line break in one could forge a line of the log. The filter drops only the records of
 * {@link QuietWork}.
 */
@LoggingFilter(name = SafeLogFilter.NAME)
public final class SafeLogFilter implements Filter {

    /** The name of the filter in {@code quarkus.log.console.filter}. */
    public static final String NAME = "safe-text";

    private static final SimpleFormatter FORMATTER = new SimpleFormatter();

    @Override
    public boolean isLoggable(LogRecord logRecord) {
        if (QuietWork.isOn()) {
            return false;
        }
        if (logRecord instanceof ExtLogRecord extended) {
            extended.setMessage(safe(extended.getFormattedMessage()), ExtLogRecord.FormatStyle.NO_FORMAT);
        } else {
            logRecord.setMessage(safe(FORMATTER.formatMessage(logRecord)));
            logRecord.setParameters(null);
        }
        if (logRecord.getThrown() != null && !(logRecord.getThrown() instanceof SafeThrowable)) {
            logRecord.setThrown(SafeThrowable.of(logRecord.getThrown()));
        }
        return true;
    }

    private static String safe(@Nullable String message) {
        return SafeText.of(String.valueOf(message), SafeText.LOG_MESSAGE);
    }
}
