package dev.fakegpu.inventory;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Guesses what somebody meant to write. */
final class NearMiss {
    private NearMiss() {}

    /** No name of the API is longer, and comparing long texts is slow. */
    private static final int MAX_LENGTH = 64;

    /** {@code " (did you mean "x"?)"}, or nothing if no candidate is close. */
    static String hint(String written, Collection<String> candidates) {
        return closest(written, candidates)
                .map(candidate -> " (did you mean \"" + candidate + "\"?)")
                .orElse("");
    }

    /** The candidate that {@code written} abbreviates, or that a third of its characters or fewer need to change into. */
    private static Optional<String> closest(String written, Collection<String> candidates) {
        if (written.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        String lower = written.toLowerCase(Locale.ROOT);
        return candidates.stream()
                .filter(candidate -> distance(lower, candidate) <= written.length() / 3)
                .min(Comparator.comparingInt(candidate -> distance(lower, candidate)));
    }

    private static int distance(String lower, String candidate) {
        String other = candidate.toLowerCase(Locale.ROOT);
        return lower.length() > 1 && other.startsWith(lower) ? 0 : editDistance(lower, other);
    }

    /** Levenshtein's, with one row of the table at a time. */
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
