package dev.fakegpu.kube.watch;

import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.CompactSlice;
import dev.fakegpu.dra.wire.GroupsAnnotation;
import dev.fakegpu.dra.wire.SliceReader;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A cache of parsed slices: each stored version is parsed once, whichever controller needs it. Thread-safe. */
public final class ParsedSlices {

    private record Parsed(String version, Slice asStored, Slice withGroups) {}

    private final ObjectStore<ResourceSlice> stored;
    private final Map<String, Parsed> byUid = new ConcurrentHashMap<>();

    ParsedSlices(ObjectStore<ResourceSlice> stored) {
        this.stored = stored;
        stored.addListener(this::changed);
    }

    /** The slice without the groups of its annotation. */
    public Slice asStored(ResourceSlice slice) {
        return parse(slice).asStored();
    }

    /** The slice with its groups, whether they are stored in its fields or in its annotation. */
    public Slice withGroups(ResourceSlice slice) {
        return parse(slice).withGroups();
    }

    private Parsed parse(ResourceSlice slice) {
        String uid = slice.getMetadata().getUid();
        String version = slice.getMetadata().getResourceVersion();
        Parsed known = byUid.get(uid);
        if (known != null && known.version().equals(version) && isOf(slice, known)) {
            return known;
        }
        Slice asStored = SliceReader.read(slice);
        var parsed = new Parsed(version, asStored, GroupsAnnotation.withGroups(asStored, slice));
        if (isNewest(slice)) {
            byUid.put(uid, parsed);
        }
        return parsed;
    }

    /** Whether the parsed slice still matches. A slice that was written may have been assumed to be stored differently than it was. */
    @SuppressWarnings("ReferenceEquality") // a slice that is kept as values has been parsed already
    private static boolean isOf(ResourceSlice slice, Parsed known) {
        return !(slice instanceof CompactSlice) || SliceReader.read(slice) == known.asStored();
    }

    /**
     * Whether the slice is the stored version, the only one that is cached: older ones are not needed again, and the entry of a deleted
     * slice would never be evicted.
     */
    private boolean isNewest(ResourceSlice slice) {
        var metadata = slice.getMetadata();
        return stored.get(null, metadata.getName())
                .map(ResourceSlice::getMetadata)
                .filter(known -> known.getUid().equals(metadata.getUid())
                        && known.getResourceVersion().equals(metadata.getResourceVersion()))
                .isPresent();
    }

    private void changed(@Nullable ResourceSlice before, @Nullable ResourceSlice after) {
        if (before != null && after == null) {
            byUid.remove(before.getMetadata().getUid());
        }
    }
}
