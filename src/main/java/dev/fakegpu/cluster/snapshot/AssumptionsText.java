package dev.fakegpu.cluster.snapshot;

import dev.fakegpu.util.WrappedText;
import java.util.ArrayList;
import java.util.List;

/** The last paragraph of an answer, which lists the assumptions about schedulers. */
public final class AssumptionsText {

    private static final int INDENT = 2;

    private AssumptionsText() {}

    /** The lines, which begin with an empty one; none if nothing was assumed. */
    public static List<String> of(List<Assumptions> all) {
        if (all.isEmpty()) {
            return List.of();
        }
        var lines = new ArrayList<>(List.of("", "Assumed:"));
        all.forEach(assumed -> lines.addAll(WrappedText.lines(INDENT, assumed.text())));
        return lines;
    }
}
