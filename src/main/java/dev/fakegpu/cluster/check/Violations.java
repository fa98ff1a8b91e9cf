package dev.fakegpu.cluster.check;

import java.util.ArrayList;
import java.util.List;

/** Collects findings in the order in which they are found. */
final class Violations {

    private final List<Violation> found = new ArrayList<>();

    void add(Rule rule, Where where, String message) {
        found.add(new Violation(rule, where, message));
    }

    List<Violation> all() {
        return List.copyOf(found);
    }
}
