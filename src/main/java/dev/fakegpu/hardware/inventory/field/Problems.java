package dev.fakegpu.hardware.inventory.field;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Collects the problems of one spec. Fields that the schema requires may be null here, because the spec may not have been validated by an
 * API server.
 */
public final class Problems {

    private static final int MAX_NAMES_SHOWN = 20;

    private final List<SpecProblem> found = new ArrayList<>();
    private final Set<String> entriesWithProblems = new HashSet<>();

    public void add(String field, Object value, String problem, String allowed) {
        found.add(new SpecProblem(field, value.toString(), problem, allowed));
    }

    public void unlessMatches(Syntax syntax, String field, @Nullable String value) {
        String text = value == null ? "" : value;
        if (!syntax.matches(text)) {
            add(field, text, text.isEmpty() ? "is missing" : "is malformed", syntax.description());
        }
    }

    public void ifMissing(String field, @Nullable Object value, String allowed) {
        if (value == null) {
            add(field, "", "is missing", allowed);
        }
    }

    public void ifMoreThan(int limit, int actual, String field, String things) {
        if (actual > limit) {
            add(field, actual, "is too many " + things, "at most " + limit);
        }
    }

    /** Reports a value that is already in {@code seen}, or adds it. Missing values are reported elsewhere. */
    public void ifSeen(Set<String> seen, String field, @Nullable String value, String unique) {
        if (value != null && !seen.add(value)) {
            add(field, value, "occurs twice", unique);
        }
    }

    /** Checks an entry, unless another copy of the same entry already has problems, which would be the same. */
    public void once(String field, Runnable check) {
        if (entriesWithProblems.contains(field)) {
            return;
        }
        int before = count();
        check.run();
        if (count() > before) {
            entriesWithProblems.add(field);
        }
    }

    public int count() {
        return found.size();
    }

    /** The names as a list, or {@code otherwise} if there are none. */
    public static String oneOf(Collection<String> names, String otherwise) {
        if (names.isEmpty()) {
            return otherwise;
        }
        String shown = names.stream().sorted().limit(MAX_NAMES_SHOWN).collect(Collectors.joining(", "));
        return names.size() > MAX_NAMES_SHOWN ? shown + ", ..." : shown;
    }

    public List<SpecProblem> found() {
        return List.copyOf(found);
    }
}
