package dev.fakegpu.pending;

import dev.fakegpu.explain.PendingChanges;
import dev.fakegpu.snapshot.GateSources;
import java.util.Optional;

/**
 * How to explain.
 *
 * @param gate how to find out how schedulers treat compatibility groups
 * @param node the only node to explain; empty for all
 * @param pendingChanges what is published once devices are released
 */
public record ExplainSettings(GateSources gate, Optional<String> node, PendingChanges pendingChanges) {

    /** For all nodes, with nothing known beside the snapshot. */
    public static final ExplainSettings DEFAULT =
            new ExplainSettings(GateSources.NONE, Optional.empty(), PendingChanges.NONE);
}
