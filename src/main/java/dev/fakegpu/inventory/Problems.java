package dev.fakegpu.inventory;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects what is wrong with one spec. Fields may be null here, whatever the schema says: it may not have been asked. */
final class Problems {

    private final List<SpecProblem> found = new ArrayList<>();

    void add(String field, Object value, String problem, String allowed) {
        found.add(new SpecProblem(field, value.toString(), problem, allowed));
    }

    void unlessMatches(Syntax syntax, String field, @Nullable String value) {
        String text = value == null ? "" : value;
        if (!syntax.matches(text)) {
            add(field, text, text.isEmpty() ? "is missing" : "is malformed", syntax.description());
        }
    }

    void ifMoreThan(int limit, int actual, String field, String things) {
        if (actual > limit) {
            add(field, actual, "is too many " + things, "at most " + limit);
        }
    }

    /** Reports a value that is in {@code seen}, and adds it there. A missing value is somebody else's problem. */
    void ifSeen(Set<String> seen, String field, @Nullable String value, String unique) {
        if (value != null && !seen.add(value)) {
            add(field, value, "occurs twice", unique);
        }
    }

    List<SpecProblem> found() {
        return List.copyOf(found);
    }
}
