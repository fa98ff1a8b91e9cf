package dev.fakegpu.watch;

import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.TaintRule;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Slices as allocators see them, with the taints that DeviceTaintRules give to their devices. What did not change stays the same
 * object, so that what is found out about it can be kept. For one thread.
 */
public final class SliceCache {

    /** @param asPublished without the taints of rules */
    private record Read(String version, Slice asPublished, Slice slice) {}

    private Map<String, Read> read = new LinkedHashMap<>();
    private List<TaintRule> rules = List.of();

    /** In the order in which they were given. */
    public List<Slice> slices() {
        return read.values().stream().map(Read::slice).toList();
    }

    /** From the next refresh on all slices are read anew. */
    public void readAgain() {
        read.replaceAll((uid, before) -> new Read("", before.asPublished(), before.slice()));
    }

    /**
     * Takes what is stored now.
     *
     * @return the pools that changed
     */
    public Set<PoolId> refresh(
            Stream<ResourceSlice> stored, Function<ResourceSlice, Slice> reader, List<TaintRule> newRules) {
        boolean sameRules = rules.equals(newRules);
        rules = List.copyOf(newRules);
        var now = new LinkedHashMap<String, Read>();
        var changed = new HashSet<PoolId>();
        stored.forEach(slice -> {
            Read before = read.get(slice.getMetadata().getUid());
            String version = slice.getMetadata().getResourceVersion();
            Read current = before == null || !before.version().equals(version)
                    ? read(version, reader.apply(slice))
                    : sameRules ? before : taint(before);
            now.put(slice.getMetadata().getUid(), current);
            if (before == null || isOther(before, current)) {
                changed.add(current.slice().pool());
            }
        });
        read.forEach((uid, before) -> {
            if (!now.containsKey(uid)) {
                changed.add(before.slice().pool());
            }
        });
        read = now;
        return changed;
    }

    private Read read(String version, Slice asPublished) {
        return new Read(version, asPublished, TaintRule.apply(rules, asPublished));
    }

    private Read taint(Read before) {
        Read now = read(before.version(), before.asPublished());
        return now.slice().equals(before.slice()) ? before : now;
    }

    @SuppressWarnings("ReferenceEquality") // A slice that was read anew is another one, whatever it says.
    private static boolean isOther(Read before, Read now) {
        return before.slice() != now.slice();
    }
}
