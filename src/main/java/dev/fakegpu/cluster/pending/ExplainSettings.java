package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.engine.explain.PendingChanges;
import java.util.Optional;

/**
 * Settings of explanations.
 *
 * @param gate the sources that tell how schedulers treat compatibility groups
 * @param node the only node to explain; empty for all
 * @param pendingChanges what is published once devices are released
 * @param namesNodeLabels whether the reader may see which labels nodes have
 */
public record ExplainSettings(
        GateSources gate, Optional<String> node, PendingChanges pendingChanges, boolean namesNodeLabels) {

    /** Explains for all nodes, with no information besides the snapshot. */
    public static final ExplainSettings DEFAULT =
            new ExplainSettings(GateSources.NONE, Optional.empty(), PendingChanges.NONE);

    /** Settings for a reader who may see everything. */
    public ExplainSettings(GateSources gate, Optional<String> node, PendingChanges pendingChanges) {
        this(gate, node, pendingChanges, true);
    }
}
