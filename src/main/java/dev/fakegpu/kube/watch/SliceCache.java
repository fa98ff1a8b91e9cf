package dev.fakegpu.kube.watch;

import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.TaintRule;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Slices as allocators see them, with the taints of DeviceTaintRules. A slice that has not changed stays the same object, so that callers
 * can cache results by identity. Not thread-safe.
 */
public final class SliceCache {

    /** @param asPublished the slice without the taints of DeviceTaintRules */
    private record Read(String uid, String version, Slice asPublished, Slice slice) {

        boolean isOf(ResourceSlice stored) {
            return uid.equals(stored.getMetadata().getUid())
                    && version.equals(stored.getMetadata().getResourceVersion());
        }

        Read outdated() {
            return new Read(uid, "", asPublished, slice);
        }
    }

    /**
     * A slice that changed.
     *
     * @param before the slice as it was read before; null if it is new
     * @param after null if the slice was deleted
     */
    public record Change(@Nullable Slice before, @Nullable Slice after) {

        /** The pools to which the slice belongs or belonged. */
        public Stream<PoolId> pools() {
            return Stream.of(before, after)
                    .filter(Objects::nonNull)
                    .map(Slice::pool)
                    .distinct();
        }
    }

    /** The slices by name. */
    private final Map<String, Read> read = new LinkedHashMap<>();

    private List<TaintRule> rules = List.of();

    /** The slices in the order in which they were first read. */
    public List<Slice> slices() {
        return read.values().stream().map(Read::slice).toList();
    }

    /** The number of slices. */
    public int size() {
        return read.size();
    }

    /** Makes the next refresh read all slices again. */
    public void readAgain() {
        read.replaceAll((name, before) -> before.outdated());
    }

    /** Makes the next refresh read these slices again, if they are known. */
    public void readAgain(Collection<String> names) {
        names.forEach(name -> read.computeIfPresent(name, (same, before) -> before.outdated()));
    }

    /** Replaces the contents with the stored slices. */
    public List<Change> refresh(
            Stream<ResourceSlice> stored, Function<ResourceSlice, Slice> reader, List<TaintRule> newRules) {
        boolean sameRules = rules.equals(newRules);
        rules = List.copyOf(newRules);
        var changes = new ArrayList<Change>();
        var present = new HashSet<String>();
        stored.forEach(slice -> {
            String name = slice.getMetadata().getName();
            present.add(name);
            Read before = read.get(name);
            Read now = before == null || !before.isOf(slice) ? read(slice, reader) : sameRules ? before : taint(before);
            put(name, now).ifPresent(changes::add);
        });
        read.keySet().stream()
                .filter(name -> !present.contains(name))
                .toList()
                .forEach(gone -> remove(gone).ifPresent(changes::add));
        return changes;
    }

    /** Reads one slice if it has changed. The taint rules stay the same. */
    public Optional<Change> refresh(ResourceSlice stored, Function<ResourceSlice, Slice> reader) {
        String name = stored.getMetadata().getName();
        Read before = read.get(name);
        return before != null && before.isOf(stored) ? Optional.empty() : put(name, read(stored, reader));
    }

    /** Removes a slice, if it is known. */
    public Optional<Change> remove(String name) {
        Read gone = read.remove(name);
        return gone == null ? Optional.empty() : Optional.of(new Change(gone.slice(), null));
    }

    @SuppressWarnings("ReferenceEquality") // A slice that was read again counts as changed, even if it is equal.
    private Optional<Change> put(String name, Read now) {
        Read before = read.put(name, now);
        Slice known = before == null ? null : before.slice();
        return known == now.slice() ? Optional.empty() : Optional.of(new Change(known, now.slice()));
    }

    private Read read(ResourceSlice stored, Function<ResourceSlice, Slice> reader) {
        var metadata = stored.getMetadata();
        return read(metadata.getUid(), metadata.getResourceVersion(), reader.apply(stored));
    }

    private Read read(String uid, String version, Slice asPublished) {
        return new Read(uid, version, asPublished, TaintRule.apply(rules, asPublished));
    }

    private Read taint(Read before) {
        Read now = read(before.uid(), before.version(), before.asPublished());
        return now.slice().equals(before.slice()) ? before : now;
    }
}
