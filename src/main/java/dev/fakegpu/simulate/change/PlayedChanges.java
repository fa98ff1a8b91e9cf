package dev.fakegpu.simulate.change;

import dev.fakegpu.cluster.pending.ExplainSettings;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.cluster.whatif.Changes;
import dev.fakegpu.cluster.whatif.WhatIf;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.simulate.memory.SimulationException;
import java.util.Optional;

/**
 * Answers what changes would lead to. It simulates a copy of the cluster with them and one without, as {@code simulate --from-cluster}
 * does, and explains what waits in the end, as {@code explain} does. Not thread-safe.
 */
public final class PlayedChanges {

    private final ClusterObjects before;
    private final Changes changes;
    private final GateSources gate;
    private final KubernetesVersion version;

    private PlayedChanges(ClusterObjects before, Changes changes, GateSources gate, KubernetesVersion version) {
        this.before = before;
        this.changes = changes;
        this.gate = gate;
        this.version = version;
    }

    /**
     * Simulates changes.
     *
     * @param before the cluster without the changes
     * @param gate how to find out how schedulers treat compatibility groups
     * @param version that of the cluster
     * @throws SimulationException if an object cannot be read
     */
    public static WhatIf of(ClusterObjects before, Changes changes, GateSources gate, KubernetesVersion version) {
        return new PlayedChanges(before, changes, gate, version).answer();
    }

    /** A change, such as one of the operator's settings, can affect how schedulers decide. Then they decide again. */
    private WhatIf answer() {
        Deciders assumed = Deciders.of(new ClusterSnapshot(before), gate, version);
        var unchanged = new ChangedCopy(before, new Changes(), assumed, gate);
        var copy = new ChangedCopy(before, changes, assumed, gate);
        Deciders found = Deciders.of(new ClusterSnapshot(copy.after()), gate, version);
        if (!found.decideAs(assumed)) {
            copy = new ChangedCopy(before, changes, found, gate);
        }
        return new WhatIfReader(before, changes, copy, unchanged, explanations(copy, found), found).whatIf();
    }

    private static ExplainSettings explanations(ChangedCopy copy, Deciders deciders) {
        return new ExplainSettings(
                deciders.gate(), Optional.empty(), copy.simulation().pendingChanges());
    }
}
