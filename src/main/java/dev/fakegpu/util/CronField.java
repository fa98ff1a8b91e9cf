package dev.fakegpu.util;

import java.util.List;
import java.util.Locale;

/** A field of a {@link CronSchedule}: a list of numbers or names, ranges and steps, stored as a set of bits. */
enum CronField {
    MINUTE(0, 59, List.of()),
    HOUR(0, 23, List.of()),
    DAY(1, 31, List.of()),
    MONTH(1, 12, List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")),
    WEEKDAY(0, 6, List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat"));

    private static final long ANY = 1L << 63;

    private final int min;
    private final int max;
    private final List<String> names;

    CronField(int min, int max, List<String> names) {
        this.min = min;
        this.max = max;
        this.names = names;
    }

    /** Whether the field was {@code *} or {@code ?}. */
    static boolean isAny(long bits) {
        return (bits & ANY) != 0;
    }

    long parse(String field) {
        long bits = 0;
        for (String range : field.split(",")) {
            if (!range.isEmpty()) {
                bits |= range(range);
            }
        }
        return bits;
    }

    private long range(String range) {
        String[] parts = range.split("/", -1);
        String[] ends = parts[0].split("-", -1);
        boolean isAny = ends[0].equals("*") || ends[0].equals("?");
        if (!isAny && ends.length > 2) {
            throw new IllegalArgumentException("too many hyphens: " + range);
        }
        int start = isAny ? min : number(ends[0]);
        int end = isAny ? max : number(ends[ends.length - 1]);
        if (parts.length > 2) {
            throw new IllegalArgumentException("too many slashes: " + range);
        }
        int step = 1;
        if (parts.length == 2) {
            step = plainNumber(parts[1]);
            end = ends.length == 1 ? max : end;
        }
        check(start, end, step, range);
        long bits = isAny && step == 1 ? ANY : 0;
        for (int i = start; i <= end; i += step) {
            bits |= 1L << i;
        }
        return bits;
    }

    private void check(int start, int end, int step, String range) {
        if (start < min) {
            throw new IllegalArgumentException(
                    "beginning of range (%d) below minimum (%d): %s".formatted(start, min, range));
        } else if (end > max) {
            throw new IllegalArgumentException("end of range (%d) above maximum (%d): %s".formatted(end, max, range));
        } else if (start > end) {
            throw new IllegalArgumentException(
                    "beginning of range (%d) beyond end of range (%d): %s".formatted(start, end, range));
        } else if (step == 0) {
            throw new IllegalArgumentException("step of range should be a positive number: " + range);
        }
    }

    private int number(String text) {
        int index = names.indexOf(text.toLowerCase(Locale.ROOT));
        return index < 0 ? plainNumber(text) : index + min;
    }

    private static int plainNumber(String text) {
        if (!text.matches("[+-]?[0-9]{1,9}")) {
            throw new IllegalArgumentException(
                    "failed to parse int from %1$s: strconv.Atoi: parsing \"%1$s\": invalid syntax".formatted(text));
        }
        int number = Integer.parseInt(text);
        if (number < 0) {
            throw new IllegalArgumentException("negative number (%d) not allowed: %s".formatted(number, text));
        }
        return number;
    }
}
