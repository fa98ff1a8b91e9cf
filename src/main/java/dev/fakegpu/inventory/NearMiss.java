package dev.fakegpu.inventory;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Guesses what somebody meant to write. */
final class NearMiss {
    private NearMiss() {}

    /** No name of the API is longer, and comparing long texts is slow. */
    private static final int MAX_LENGTH = 64;

    private static final Pattern FAMILY_END = Pattern.compile("[-.]");

    /** {@code " (did you mean "x"?)"}, or nothing if no candidate is close. */
    static String hint(String written, Collection<String> candidates) {
        return closest(written, candidates)
                .map(candidate -> " (did you mean \"" + candidate + "\"?)")
                .orElse("");
    }

    /**
     * The candidate that {@code written} abbreviates, or that a third of its characters or fewer need to change into. One of the same
     * family comes first, however much else is wrong: {@code H100-SXM5-80GB} means an H100 and not the A100 of nearly that name.
     */
    private static Optional<String> closest(String written, Collection<String> candidates) {
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

    /** The first word of a model or a MIG profile, such as {@code h100} and {@code 1g}; empty if that is just a word. */
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
