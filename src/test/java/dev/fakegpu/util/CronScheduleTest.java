package dev.fakegpu.util;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CronScheduleTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 2 * * *       | UTC              | 2026-01-01T00:00:00Z | 2026-01-01T02:00:00Z",
                "0 2 * * *       | UTC              | 2026-01-01T02:00:00Z | 2026-01-02T02:00:00Z",
                "*/20 9-17 * * * | UTC              | 2026-01-01T17:40:00Z | 2026-01-02T09:00:00Z",
                "5/20 * * * *    | UTC              | 2026-01-01T00:30:00Z | 2026-01-01T00:45:00Z",
                "0 0 13 * fri    | UTC              | 2026-01-03T00:00:00Z | 2026-01-09T00:00:00Z",
                "0 0 13 * fri    | UTC              | 2026-01-09T00:00:00Z | 2026-01-13T00:00:00Z",
                "0 0 29 2 ?      | UTC              | 2026-01-01T00:00:00Z | 2028-02-29T00:00:00Z",
                "0 0 1 JAN,jul * | UTC              | 2026-01-01T00:00:00Z | 2026-07-01T00:00:00Z",
                "@weekly         | UTC              | 2026-01-01T00:00:00Z | 2026-01-04T00:00:00Z",
                "@hourly         | UTC              | 2026-01-01T00:00:30Z | 2026-01-01T01:00:00Z",
                "@every 1h30m    | UTC              | 2026-01-01T00:00:10Z | 2026-01-01T01:30:10Z",
                "@every 30m1.5h  | UTC              | 2026-01-01T00:00:10Z | 2026-01-01T02:00:10Z",
                "@every 10ms     | UTC              | 2026-01-01T00:00:10Z | 2026-01-01T00:00:11Z",
                "@every .5h1.m   | UTC              | 2026-01-01T00:00:10Z | 2026-01-01T00:31:10Z",
                "@every +90000000us | UTC           | 2026-01-01T00:00:10Z | 2026-01-01T00:01:40Z",
                "@every -1h      | UTC              | 2026-01-01T00:00:10Z | 2026-01-01T00:00:11Z",
                "@every 0        | UTC              | 2026-01-01T00:00:10Z | 2026-01-01T00:00:11Z",
                "0 2 * * *       | Europe/Berlin    | 2026-01-01T00:00:00Z | 2026-01-01T01:00:00Z",
                "30 2 * * *      | Europe/Berlin    | 2026-03-28T02:00:00Z | 2026-03-30T00:30:00Z",
                "30 2 * * *      | Europe/Berlin    | 2026-10-25T00:30:00Z | 2026-10-25T01:30:00Z",
            })
    void theNextTimeIsThatOfCron(String schedule, String zone, Instant after, Instant next) {
        assertThat(CronSchedule.parse(schedule).next(after, ZoneId.of(zone))).contains(next);
    }

    /** However many there were: a Job that never ends keeps a CronJob from starting others. */
    @ParameterizedTest
    @Timeout(20)
    @CsvSource(
            delimiter = '|',
            value = {
                "* * * * *         | 2006-01-01T00:00:30Z | 2026-01-01T00:00:30Z | 2026-01-01T00:00:00Z",
                "@every 90s        | 2026-01-01T00:00:00Z | 2026-01-01T00:05:00Z | 2026-01-01T00:04:30Z",
                "30 6-16/4 * * 1-5 | 2026-01-02T18:00:00Z | 2026-01-05T12:00:00Z | 2026-01-05T10:30:00Z",
                "0 2 * * *         | 2026-01-01T00:00:00Z | 2026-01-01T02:00:00Z | 2026-01-01T02:00:00Z",
            })
    void theLatestTimeIsFound(String schedule, Instant after, Instant now, Instant latest) {
        assertThat(CronSchedule.parse(schedule).latest(after, now, ZoneId.of("UTC")))
                .contains(latest);
    }

    @ParameterizedTest
    @CsvSource("0 0 31 2 *")
    void anImpossibleDateHasNoNextTime(String schedule) {
        Instant now = Instant.parse("2026-01-01T00:00:00Z");

        assertThat(CronSchedule.parse(schedule).next(now, ZoneId.of("UTC"))).isEmpty();
    }

    /** The messages are those of {@code robfig/cron} 3.0.1. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "* * * *      | expected exactly 5 fields, found 4: [* * * *]",
                "@fortnightly | unrecognized descriptor: @fortnightly",
                "@every soon  | failed to parse duration @every soon: time: invalid duration \"soon\"",
                "@every 2562048h | failed to parse duration @every 2562048h: time: invalid duration \"2562048h\"",
                "@every 1h x  | failed to parse duration @every 1h x: time: unknown unit \"h x\" in duration \"1h x\"",
                "@every 90    | failed to parse duration @every 90: time: missing unit in duration \"90\"",
                "@every 1h.s  | failed to parse duration @every 1h.s: time: invalid duration \"1h.s\"",
                "* * 0 * *    | beginning of range (0) below minimum (1): 0",
                "60 * * * *   | end of range (60) above maximum (59): 60",
                "* 9-7 * * *  | beginning of range (9) beyond end of range (7): 9-7",
                "*/0 * * * *  | step of range should be a positive number: */0",
                "1-2-3 * * * *| too many hyphens: 1-2-3",
                "1/2/3 * * * *| too many slashes: 1/2/3",
                "* * * * funday | failed to parse int from funday: strconv.Atoi: parsing \"funday\": invalid syntax",
            })
    void mistakesAreNamed(String schedule, String message) {
        assertThatThrownBy(() -> CronSchedule.parse(schedule)).hasMessage(message);
    }
}
