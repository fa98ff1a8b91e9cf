package dev.fakegpu.operator.publish.condition;

import dev.fakegpu.engine.explain.finding.NameScope;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.operator.publish.pool.PoolsResult;
import dev.fakegpu.operator.publish.pool.PublishResult;

/** Condition {@code ChangesPending}: which changes of the spec are delayed until devices in use are released. */
public final class ChangesPendingCondition {

    private static final Conditions.Type TYPE = Conditions.Type.ChangesPending;

    private ChangesPendingCondition() {}

    public static void report(StatusReport report, PublishResult result) {
        var pools = result.pools();
        if (pools.pending().isEmpty()) {
            report.conditions().setFalse(TYPE, "NothingPending", "what is published is what the spec says");
            return;
        }
        report.conditions().setTrue(TYPE, "DevicesInUse", message(pools, NameScope.all()));
        if (pools.changed()) {
            report.normal(EventReason.ChangesPending, message(pools, report.eventReader()));
        }
    }

    private static String message(PoolsResult pools, NameScope reader) {
        return "in use, and kept with their groups and counters until they are released: "
                + StatusReport.firstOf(pools.pending().stream()
                        .map(device -> device.text(reader))
                        .toList())
                + (pools.withheld() == 0 ? "" : "; %s device(s) of the spec wait for that".formatted(pools.withheld()));
    }
}
