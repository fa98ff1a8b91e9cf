package dev.fakegpu.watch;

import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.GroupsAnnotation;
import dev.fakegpu.dra.wire.SliceReader;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What stored slices say. Each version is read once, whoever asks for it. For any thread. */
public final class ParsedSlices {

    private record Read(String version, Slice asStored, Slice withGroups) {}

    private final ObjectStore<ResourceSlice> stored;
    private final Map<String, Read> byUid = new ConcurrentHashMap<>();

    ParsedSlices(ObjectStore<ResourceSlice> stored) {
        this.stored = stored;
        stored.addListener(this::changed);
    }

    /** The slice itself. */
    public Slice asStored(ResourceSlice slice) {
        return read(slice).asStored();
    }

    /** The slice with its groups, wherever these are kept. */
    public Slice withGroups(ResourceSlice slice) {
        return read(slice).withGroups();
    }

    private Read read(ResourceSlice slice) {
        String uid = slice.getMetadata().getUid();
        String version = slice.getMetadata().getResourceVersion();
        Read known = byUid.get(uid);
        if (known != null && known.version().equals(version)) {
            return known;
        }
        Slice asStored = SliceReader.read(slice);
        var read = new Read(version, asStored, GroupsAnnotation.withGroups(asStored, slice));
        if (isNewest(slice)) {
            byUid.put(uid, read);
        }
        return read;
    }

    /** Others are not asked for again, and one that is gone would never be forgotten. */
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
