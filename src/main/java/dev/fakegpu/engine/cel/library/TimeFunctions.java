package dev.fakegpu.engine.cel.library;

import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.Steps;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses, formats and decomposes timestamps and durations. Upstream: {@code cel-go/common/types/timestamp.go}. */
final class TimeFunctions {

    private static final Pattern RFC_3339 =
            Pattern.compile("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:[.,]\\d+)?(?:Z|[+-]\\d{2}:\\d{2})");
    private static final Pattern DURATION =
            Pattern.compile("[+-]?(?:0|(?:(?:\\d++\\.?+\\d*+|\\.\\d++)(?:ns|us|µs|μs|ms|s|m|h))++)");
    private static final Pattern DURATION_PART = Pattern.compile("0*+(\\d*+)\\.?+(\\d*+)(ns|us|µs|μs|ms|s|m|h)");

    /** The maximum number of digits. More cannot matter, and reading a number takes quadratic time. */
    private static final int MOST_DIGITS = 20;

    private static final int STEPS_OF_PART = 20;
    private static final int LONGEST_ZONE = 100;
    private static final Map<String, Long> NANOSECONDS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "µs", 1_000L,
            "μs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);
    private static final DateTimeFormatter WRITTEN = new DateTimeFormatterBuilder()
            .appendPattern("uuuu-MM-dd'T'HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .appendLiteral('Z')
            .toFormatter()
            .withZone(ZoneOffset.UTC);
    private static final Pattern OFFSET = Pattern.compile("([+-]?)(\\d+):(\\d+)");

    private TimeFunctions() {}

    static void addTo(Map<String, FunctionLibrary.Body> functions) {
        part(functions, "getFullYear", ZonedDateTime::getYear);
        part(functions, "getMonth", time -> time.getMonthValue() - 1L);
        part(functions, "getDayOfYear", time -> time.getDayOfYear() - 1L);
        part(functions, "getDayOfMonth", time -> time.getDayOfMonth() - 1L);
        part(functions, "getDate", ZonedDateTime::getDayOfMonth);
        part(functions, "getDayOfWeek", time -> time.getDayOfWeek().getValue() % 7);
        partOfBoth(functions, "getHours", ZonedDateTime::getHour, Duration::toHours);
        partOfBoth(functions, "getMinutes", ZonedDateTime::getMinute, Duration::toMinutes);
        partOfBoth(functions, "getSeconds", ZonedDateTime::getSecond, duration -> duration.toNanos() / 1_000_000_000);
        partOfBoth(
                functions,
                "getMilliseconds",
                time -> time.getNano() / 1_000_000,
                duration -> duration.toNanos() / 1_000_000);
    }

    private static void part(
            Map<String, FunctionLibrary.Body> functions, String name, ToLongFunction<ZonedDateTime> ofTime) {
        functions.put(name, args -> ofTime.applyAsLong(local(args, name)));
    }

    private static void partOfBoth(
            Map<String, FunctionLibrary.Body> functions,
            String name,
            ToLongFunction<ZonedDateTime> ofTime,
            ToLongFunction<Duration> ofDuration) {
        functions.put(
                name,
                args -> args.length == 1 && args[0] instanceof Duration duration
                        ? ofDuration.applyAsLong(duration)
                        : ofTime.applyAsLong(local(args, name)));
    }

    private static ZonedDateTime local(Object[] args, String function) {
        if (!(args[0] instanceof Instant time)) {
            throw Failure.noSuchOverload(function);
        }
        return time.atZone(args.length == 1 ? ZoneOffset.UTC : zone(StandardLibrary.text(args[1])));
    }

    private static ZoneId zone(String name) {
        if (name.length() > LONGEST_ZONE) {
            throw new Failure("unknown time zone " + name.substring(0, LONGEST_ZONE) + "...");
        }
        try {
            Matcher offset = OFFSET.matcher(name);
            if (!offset.matches()) {
                return name.isEmpty() ? ZoneOffset.UTC : ZoneId.of(name);
            }
            int minutes = 60 * Integer.parseInt(offset.group(2)) + Integer.parseInt(offset.group(3));
            return ZoneOffset.ofTotalSeconds((offset.group(1).equals("-") ? -60 : 60) * minutes);
        } catch (DateTimeException | NumberFormatException e) {
            throw new Failure("unknown time zone " + name);
        }
    }

    static Instant parseTimestamp(String text) {
        Steps.parse(text);
        try {
            if (RFC_3339.matcher(text).matches()) {
                return Arithmetic.inRange(
                        OffsetDateTime.parse(text.replace(',', '.')).toInstant());
            }
        } catch (DateTimeException e) {
            throw invalid("timestamp");
        }
        throw invalid("timestamp");
    }

    /** Implements Go's {@code time.ParseDuration}: numbers with units, such as {@code 1h30m}. */
    static Duration parseDuration(String text) {
        Steps.parse(text);
        if (!DURATION.matcher(text).matches()) {
            throw invalid("duration");
        }
        BigDecimal sum = BigDecimal.ZERO;
        Matcher part = DURATION_PART.matcher(text);
        while (part.find()) {
            Steps.take(STEPS_OF_PART);
            Long unit = NANOSECONDS.get(part.group(3));
            sum = sum.add(number(part.group(1), part.group(2)).multiply(BigDecimal.valueOf(unit == null ? 0 : unit)));
        }
        var nanoseconds = (text.startsWith("-") ? sum.negate() : sum).toBigInteger();
        if (nanoseconds.bitLength() >= Long.SIZE) {
            throw invalid("duration");
        }
        return Duration.ofNanos(nanoseconds.longValue());
    }

    private static BigDecimal number(String digits, String fraction) {
        if (digits.length() > MOST_DIGITS) {
            throw invalid("duration");
        }
        return new BigDecimal("0" + digits + "." + fraction.substring(0, Math.min(fraction.length(), MOST_DIGITS)));
    }

    private static Failure invalid(String type) {
        return new Failure("type conversion error from 'string' to '" + type + "'");
    }

    static String format(Instant time) {
        return WRITTEN.format(time);
    }
}
