package dev.fakegpu.pending;

import dev.fakegpu.allocate.pool.GroupsGate;
import dev.fakegpu.explain.PendingChanges;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How to explain.
 *
 * @param gate how schedulers treat compatibility groups; empty to find out
 * @param node the only node to explain; empty for all
 * @param pendingChanges what is published once devices are released
 * @param apiServerGate the state of the gate in the API server; called only if nothing else tells
 */
public record ExplainSettings(
        Optional<GroupsGate> gate,
        Optional<String> node,
        PendingChanges pendingChanges,
        Supplier<Optional<GroupsGate>> apiServerGate) {

    /** For all nodes, with nothing known beside the snapshot. */
    public static final ExplainSettings DEFAULT =
            new ExplainSettings(Optional.empty(), Optional.empty(), PendingChanges.NONE, Optional::empty);
}
