package dev.fakegpu.util;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A schedule in cron syntax, as {@code robfig/cron} reads it for CronJobs. */
public sealed interface CronSchedule {

    /** The next time after {@code after}; empty if there is none within five years, such as for February 31. */
    Optional<Instant> next(Instant after, ZoneId zone);

    /**
     * The latest time after {@code after} that is not after {@code now}; empty if there is none. Like {@code mostRecentScheduleTime} of
     * kube-controller-manager, it takes times for regular, and can miss one that is due less often than the first two.
     */
    default Optional<Instant> latest(Instant after, Instant now, ZoneId zone) {
        Optional<Instant> first = next(after, zone).filter(time -> !time.isAfter(now));
        Optional<Instant> second = first.flatMap(time -> next(time, zone)).filter(time -> !time.isAfter(now));
        if (second.isEmpty()) {
            return first;
        }
        Duration interval = Duration.between(first.get(), second.get());
        long passed = Duration.between(first.get(), now).dividedBy(interval);
        Optional<Instant> latest = Optional.empty();
        Optional<Instant> next = next(first.get().plus(interval.multipliedBy(passed - 1)), zone);
        while (next.isPresent() && !next.get().isAfter(now)) {
            latest = next;
            next = next(next.get(), zone);
        }
        return latest;
    }

    /** @throws IllegalArgumentException with the message of {@code robfig/cron} */
    static CronSchedule parse(String text) {
        if (text.startsWith(Every.PREFIX)) {
            return Every.parse(text);
        }
        String standard = Calendar.DESCRIPTORS.getOrDefault(text, text);
        if (standard.startsWith("@")) {
            throw new IllegalArgumentException("unrecognized descriptor: " + text);
        }
        List<String> fields = Arrays.stream(standard.trim().split("\\s+"))
                .filter(field -> !field.isEmpty())
                .toList();
        if (fields.size() != Calendar.FIELDS) {
            throw new IllegalArgumentException("expected exactly %d fields, found %d: [%s]"
                    .formatted(Calendar.FIELDS, fields.size(), String.join(" ", fields)));
        }
        return new Calendar(
                CronField.MINUTE.parse(fields.get(0)),
                CronField.HOUR.parse(fields.get(1)),
                CronField.DAY.parse(fields.get(2)),
                CronField.MONTH.parse(fields.get(3)),
                CronField.WEEKDAY.parse(fields.get(4)));
    }

    /** A fixed interval such as {@code @every 1h30m}: whole seconds, at least one. */
    record Every(Duration period) implements CronSchedule {

        private static final String PREFIX = "@every ";

        /** A number, with at least one digit, and the unit that follows: everything up to the next number. */
        private static final Pattern PART =
                Pattern.compile("(?=\\.?[0-9])0*([0-9]*)((?:\\.[0-9]{0,18})?)[0-9]*([^0-9.]*)");

        private static final Map<String, Long> NANOSECONDS = Map.of(
                "ns", 1L,
                "us", 1_000L,
                "\u00b5s", 1_000L,
                "\u03bcs", 1_000L,
                "ms", 1_000_000L,
                "s", 1_000_000_000L,
                "m", 60_000_000_000L,
                "h", 3_600_000_000_000L);

        private static final int MAX_DIGITS = 19;
        private static final BigDecimal LONGEST = BigDecimal.valueOf(Long.MAX_VALUE);

        static Every parse(String text) {
            Duration period = length(text).truncatedTo(ChronoUnit.SECONDS);
            return new Every(period.isZero() ? Duration.ofSeconds(1) : period);
        }

        /** The length as {@code time.ParseDuration} of Go reads it, but zero if it is negative, since both mean a second here. */
        private static Duration length(String text) {
            String signed = text.substring(PREFIX.length());
            boolean isNegative = signed.startsWith("-");
            String length = isNegative || signed.startsWith("+") ? signed.substring(1) : signed;
            if (length.equals("0")) {
                return Duration.ZERO;
            }
            Matcher part = PART.matcher(length);
            BigDecimal nanos = BigDecimal.ZERO;
            int end = 0;
            while (part.lookingAt()) {
                nanos = nanos.add(nanos(part, text));
                end = part.end();
                part.region(end, length.length());
            }
            if (end == 0 || end < length.length() || nanos.compareTo(LONGEST) > 0) {
                throw problem("invalid duration", text);
            }
            return isNegative ? Duration.ZERO : Duration.ofNanos(nanos.longValueExact());
        }

        private static BigDecimal nanos(Matcher part, String text) {
            String unit = part.group(3);
            Long nanosOfUnit = NANOSECONDS.get(unit);
            if (nanosOfUnit == null) {
                throw problem(
                        unit.isEmpty() ? "missing unit in duration" : "unknown unit \"%s\" in duration".formatted(unit),
                        text);
            }
            if (part.group(1).length() > MAX_DIGITS) {
                throw problem("invalid duration", text);
            }
            return new BigDecimal("0" + part.group(1) + part.group(2))
                    .multiply(BigDecimal.valueOf(nanosOfUnit))
                    .setScale(0, RoundingMode.DOWN);
        }

        private static IllegalArgumentException problem(String problem, String text) {
            return new IllegalArgumentException("failed to parse duration %s: time: %s \"%s\""
                    .formatted(text, problem, text.substring(PREFIX.length())));
        }

        @Override
        public Optional<Instant> next(Instant after, ZoneId zone) {
            return Optional.of(after.truncatedTo(ChronoUnit.SECONDS).plus(period));
        }
    }

    /** A schedule of five fields, each a set of bits. */
    record Calendar(long minutes, long hours, long days, long months, long weekdays) implements CronSchedule {

        private static final int FIELDS = 5;
        private static final int DAYS_OF_WEEK = 7;
        private static final int MINUTES_OF_HOUR = 60;
        private static final int HOURS_OF_DAY = 24;
        private static final int YEARS = 5;

        private static final Map<String, String> DESCRIPTORS = Map.of(
                "@yearly", "0 0 1 1 *",
                "@annually", "0 0 1 1 *",
                "@monthly", "0 0 1 * *",
                "@weekly", "0 0 * * 0",
                "@daily", "0 0 * * *",
                "@midnight", "0 0 * * *",
                "@hourly", "0 * * * *");

        @Override
        public Optional<Instant> next(Instant after, ZoneId zone) {
            LocalDate first = after.atZone(zone).toLocalDate();
            return first.datesUntil(first.plusYears(YEARS))
                    .filter(this::isOn)
                    .flatMap(date -> next(date, after, zone).stream())
                    .findFirst();
        }

        /** If both the day of the month and the day of the week are restricted, either one suffices. */
        private boolean isOn(LocalDate date) {
            boolean isDay = has(days, date.getDayOfMonth());
            boolean isWeekday = has(weekdays, date.getDayOfWeek().getValue() % DAYS_OF_WEEK);
            boolean areBoth = CronField.isAny(days) || CronField.isAny(weekdays);
            return has(months, date.getMonthValue()) && (areBoth ? isDay && isWeekday : isDay || isWeekday);
        }

        /** Times that daylight saving time skips do not occur; times that it repeats occur twice. */
        private Optional<Instant> next(LocalDate date, Instant after, ZoneId zone) {
            Optional<Instant> earliest = Optional.empty();
            for (int hour = 0; hour < HOURS_OF_DAY; hour++) {
                for (int minute = 0; has(hours, hour) && minute < MINUTES_OF_HOUR; minute++) {
                    LocalDateTime time = date.atTime(hour, minute);
                    Optional<Instant> found = has(minutes, minute)
                            ? zone.getRules().getValidOffsets(time).stream()
                                    .map(time::toInstant)
                                    .filter(each -> each.isAfter(after))
                                    .min(Instant::compareTo)
                            : Optional.empty();
                    if (found.isPresent() && (earliest.isEmpty() || found.get().isBefore(earliest.get()))) {
                        earliest = found;
                    }
                }
            }
            return earliest;
        }

        private static boolean has(long bits, int value) {
            return (bits >> value & 1) != 0;
        }
    }
}
