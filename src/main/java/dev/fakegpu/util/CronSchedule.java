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
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A schedule in cron syntax, as {@code robfig/cron} reads it for CronJobs. */
public sealed interface CronSchedule {

    /** The next time after {@code after}; empty if there is none within five years, such as for February 31. */
    Optional<Instant> next(Instant after, ZoneId zone);

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
        private static final Pattern PART = Pattern.compile("([0-9]{1,19}(?:\\.[0-9]{1,19})?)(h|ms|m|s)");
        private static final Map<String, BigDecimal> SECONDS = Map.of(
                "h", new BigDecimal(3600), "m", new BigDecimal(60), "s", BigDecimal.ONE, "ms", new BigDecimal("0.001"));

        static Every parse(String text) {
            String length = text.substring(PREFIX.length());
            Duration period = length(length)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "failed to parse duration %s: time: invalid duration \"%s\"".formatted(text, length)))
                    .truncatedTo(ChronoUnit.SECONDS);
            return new Every(period.isZero() ? Duration.ofSeconds(1) : period);
        }

        /** As Go reads it: units in any order, with fractions, and no more nanoseconds than there are numbers. */
        private static Optional<Duration> length(String text) {
            Matcher part = PART.matcher(text);
            BigDecimal seconds = BigDecimal.ZERO;
            int end = 0;
            while (part.lookingAt()) {
                seconds = seconds.add(
                        new BigDecimal(part.group(1)).multiply(Objects.requireNonNull(SECONDS.get(part.group(2)))));
                end = part.end();
                part.region(end, text.length());
            }
            BigDecimal nanos = seconds.movePointRight(9).setScale(0, RoundingMode.DOWN);
            return end == 0 || end < text.length() || nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0
                    ? Optional.empty()
                    : Optional.of(Duration.ofNanos(nanos.longValueExact()));
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
