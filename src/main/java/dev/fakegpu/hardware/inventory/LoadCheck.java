package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.LoadSpec;
import dev.fakegpu.api.LoadSpec.Point;
import dev.fakegpu.hardware.inventory.field.Problems;

/** Checks the parts of {@code spec.load} that the schema cannot check. */
final class LoadCheck {
    private LoadCheck() {}

    static void check(LoadSpec load, Problems problems) {
        for (int i = 0; i < load.curve().size(); i++) {
            Point point = load.curve().get(i);
            String field = "spec.load.curve[" + i + "].atSeconds";
            if (i == 0 && point.atSeconds() != 0) {
                problems.add(field, point.atSeconds(), "is not the beginning of the curve", "0");
            }
            if (i > 0 && point.atSeconds() <= load.curve().get(i - 1).atSeconds()) {
                problems.add(
                        field,
                        point.atSeconds(),
                        "is not later than the point before",
                        "more than " + load.curve().get(i - 1).atSeconds());
            }
        }
    }
}
