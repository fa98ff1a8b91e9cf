package dev.fakegpu.hardware.inventory.field;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Converts fields {@code after} and {@code for}, which match {@link Syntax#AFTER} or {@link Syntax#FOR}. */
public final class AfterReader {
    private AfterReader() {}

    /** The duration; zero if the field is absent. */
    public static Duration read(@Nullable String after) {
        if (after == null) {
            return Duration.ZERO;
        }
        long number = Long.parseLong(after, 0, after.length() - 1, 10);
        return switch (after.charAt(after.length() - 1)) {
            case 'h' -> Duration.ofHours(number);
            case 'm' -> Duration.ofMinutes(number);
            default -> Duration.ofSeconds(number);
        };
    }
}
