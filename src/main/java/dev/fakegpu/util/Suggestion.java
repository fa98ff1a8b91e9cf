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

    /** The Levenshtein distance, computed with one row of the table at a time. */
    private static int editDistance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            row[column] = column;
        }
        for (int line = 1; line <= from.length(); line++) {
            int diagonal = row[0];
            row[0] = line;
            for (int column = 1; column <= to.length(); column++) {
                int substituted = diagonal + (from.charAt(line - 1) == to.charAt(column - 1) ? 0 : 1);
                diagonal = row[column];
                row[column] = Math.min(substituted, Math.min(diagonal, row[column - 1]) + 1);
            }
        }
        return row[to.length()];
    }
}
