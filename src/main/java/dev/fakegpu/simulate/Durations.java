package dev.fakegpu.simulate;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses durations as users write them. */
public final class Durations {

    /** A description of the format, for messages. */
    public static final String ALLOWED = "a duration such as 500ms, 10s, 5m or 1h";

    private static final Pattern DURATION = Pattern.compile("(\\d{1,6})(ms|s|m|h)");

    private Durations() {}

    /** The duration; empty if the text is not one. */
    public static Optional<Duration> parse(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long amount = Long.parseLong(matcher.group(1));
        return Optional.of(
                switch (matcher.group(2)) {
                    case "ms" -> Duration.ofMillis(amount);
                    case "s" -> Duration.ofSeconds(amount);
                    case "m" -> Duration.ofMinutes(amount);
                    default -> Duration.ofHours(amount);
                });
    }
}
