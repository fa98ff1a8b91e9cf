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
 * Slices as allocators see them, with the taints of DeviceTaintRules. A slice that did not change stays the same object, so that callers
 * can cache results by identity. Not thread-safe.
 */
public final class SliceCache {

    /** @param asPublished the slice without the taints of rules */
    private record Read(String version, Slice asPublished, Slice slice) {}

    private Map<String, Read> read = new LinkedHashMap<>();
    private List<TaintRule> rules = List.of();

    /** In the order of the last refresh. */
    public List<Slice> slices() {
        return read.values().stream().map(Read::slice).toList();
    }

    /** Makes the next refresh read all slices again. */
    public void readAgain() {
        read.replaceAll((uid, before) -> new Read("", before.asPublished(), before.slice()));
    }

    /**
     * Replaces the contents with the stored slices.
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
            if (before == null || isReplaced(before, current)) {
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

    @SuppressWarnings("ReferenceEquality") // A slice that was read again counts as changed, even if it is equal.
    private static boolean isReplaced(Read before, Read now) {
        return before.slice() != now.slice();
    }
}
