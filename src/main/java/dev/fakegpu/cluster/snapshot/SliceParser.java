package dev.fakegpu.cluster.snapshot;

import dev.fakegpu.cluster.snapshot.ClusterSnapshot.SnapshotSlice;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.TaintRule;
import dev.fakegpu.dra.wire.GroupsAnnotation;
import dev.fakegpu.dra.wire.SliceReader;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Parses the slices of consecutive snapshots: an unchanged object is not parsed again, and its {@link SnapshotSlice} remains the same
 * instance. Not thread-safe.
 */
public final class SliceParser {

    private Map<String, SnapshotSlice> last = new HashMap<>();
    private Map<String, SnapshotSlice> current = new HashMap<>();
    private List<TaintRule> rules = List.of();

    /** @param newRules the DeviceTaintRules whose taints are added to slices from now on */
    void begin(List<TaintRule> newRules) {
        last = rules.equals(newRules) ? current : new HashMap<>();
        current = new HashMap<>();
        rules = newRules;
    }

    /** @throws IllegalArgumentException if the slice cannot be read */
    @SuppressWarnings("ReferenceEquality") // stores replace objects and never modify them
    SnapshotSlice parse(ResourceSlice stored) {
        SnapshotSlice known = last.get(stored.getMetadata().getName());
        SnapshotSlice parsed = known != null && known.stored() == stored ? known : read(stored);
        current.put(stored.getMetadata().getName(), parsed);
        return parsed;
    }

    private SnapshotSlice read(ResourceSlice stored) {
        Slice asStored = SliceReader.read(stored);
        return SnapshotSlice.of(
                stored,
                TaintRule.apply(rules, asStored),
                TaintRule.apply(rules, GroupsAnnotation.withGroups(asStored, stored)));
    }
}
