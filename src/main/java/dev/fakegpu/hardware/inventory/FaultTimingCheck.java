package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.FaultTiming;
import dev.fakegpu.hardware.inventory.field.Problems;
import dev.fakegpu.hardware.inventory.field.Syntax;
import dev.fakegpu.hardware.inventory.field.TaintReader;
import java.util.Set;

/** Checks the fields that faults of devices and faults of nodes have in common. */
final class FaultTimingCheck {
    private FaultTimingCheck() {}

    /** @param names the names of other faults of the FakeGpu, to which this one is added */
    static void checkName(String field, FaultTiming fault, Set<String> names, Problems problems) {
        problems.unlessMatches(Syntax.DNS_LABEL, field + ".name", fault.name());
        problems.ifSeen(names, field + ".name", fault.name(), "each name once");
    }

    static void checkMoment(String field, FaultTiming fault, Problems problems) {
        if (fault.after() != null) {
            problems.unlessMatches(Syntax.AFTER, field + ".after", fault.after());
        }
        if (fault.lasts() != null) {
            problems.unlessMatches(Syntax.FOR, field + ".for", fault.lasts());
        }
        if (fault.at() != null && fault.after() != null) {
            problems.add(field + ".at", fault.at(), "stands beside after", "one of after and at");
        } else if (fault.at() != null) {
            TaintReader.checkTime(field + ".at", fault.at(), problems);
        }
    }
}
