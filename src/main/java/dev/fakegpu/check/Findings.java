package dev.fakegpu.check;

import java.util.ArrayList;
import java.util.List;

/** Collects findings in the order in which they are found. */
final class Findings {

    private final List<Finding> found = new ArrayList<>();

    void add(Rule rule, Where where, String message) {
        found.add(new Finding(rule, where, message));
    }

    List<Finding> all() {
        return List.copyOf(found);
    }
}
