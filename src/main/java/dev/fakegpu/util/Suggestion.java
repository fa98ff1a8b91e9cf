package dev.fakegpu.util;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Suggests a known name for a misspelled one. */
public final class Suggestion {
    private Suggestion() {}

    /** Longer names are not compared: the API has none, and comparing long strings is slow. */
    private static final int MAX_LENGTH = 64;

    private static final Pattern FAMILY_END = Pattern.compile("[-.]");

    /** The text {@code " (did you mean "x"?)"}, or an empty string if no candidate is close. */
    public static String hint(String written, Collection<String> candidates) {
        return closest(written, candidates)
                .map(candidate -> " (did you mean \"" + candidate + "\"?)")
                .orElse("");
    }

    /**
     * The candidate that {@code written} abbreviates, or that differs from it in at most a third of its characters. Candidates of the same
     * family come first: {@code H100-PCIE-80GB} suggests an H100, although the name of an A100 is closer.
     */
    public static Optional<String> closest(String written, Collection<String> candidates) {
        if (written.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        String lower = written.toLowerCase(Locale.ROOT);
        String family = family(lower);
        return candidates.stream()
                .filter(candidate -> isOf(family, candidate) || distance(lower, candidate) <= written.length() / 3)
                .min(Comparator.<String, Boolean>comparing(candidate -> !isOf(family, candidate))
                        .thenComparing(candidate -> distance(lower, candidate)));
    }

    /** The first part of the name of a model or MIG profile, such as {@code h100} and {@code 1g}; empty if it has no digit. */
    private static String family(String lower) {
        String first = FAMILY_END.split(lower, 2)[0];
        return first.length() < lower.length() && first.chars().anyMatch(Character::isDigit) ? first : "";
    }

    private static boolean isOf(String family, String candidate) {
        return !family.isEmpty() && family(candidate.toLowerCase(Locale.ROOT)).equals(family);
    }

    private static int distance(String lower, String candidate) {
        String other = candidate.toLowerCase(Locale.ROOT);
        return lower.length() > 1 && other.startsWith(lower) ? 0 : editDistance(lower, other);
    }

    /** The number of characters to insert, remove, replace, or swap with the next one: the optimal string alignment distance. */
    private static int editDistance(String from, String to) {
        int[][] table = new int[from.length() + 1][to.length() + 1];
        for (int line = 0; line <= from.length(); line++) {
            for (int column = 0; column <= to.length(); column++) {
                table[line][column] = line == 0 || column == 0 ? line + column : least(table, from, to, line, column);
            }
        }
        return table[from.length()][to.length()];
    }

    private static int least(int[][] table, String from, String to, int line, int column) {
        boolean isSame = from.charAt(line - 1) == to.charAt(column - 1);
        int least = Math.min(
                table[line - 1][column - 1] + (isSame ? 0 : 1),
                Math.min(table[line - 1][column], table[line][column - 1]) + 1);
        boolean isSwapped = line > 1
                && column > 1
                && from.charAt(line - 1) == to.charAt(column - 2)
                && from.charAt(line - 2) == to.charAt(column - 1);
        return isSwapped ? Math.min(least, table[line - 2][column - 2] + 1) : least;
    }
}
