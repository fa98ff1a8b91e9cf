package dev.fakegpu.dra.wire;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.SliceInterner;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceSpec;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A ResourceSlice as the operator keeps it: its devices and counter sets are a {@link Slice}, which takes a small fraction of the memory of
 * the client's objects. {@link SliceReader} reads it like any other. It cannot be written: that would remove the devices.
 */
@Group("resource.k8s.io")
@Version("v1")
@Kind("ResourceSlice")
public final class CompactSlice extends ResourceSlice {

    private final transient Slice slice;

    private CompactSlice(ResourceSlice read, Slice slice) {
        super(read.getApiVersion(), read.getKind(), read.getMetadata(), read.getSpec());
        this.slice = slice;
    }

    /** @param read becomes part of the result, and loses its devices and counter sets */
    public static CompactSlice of(ResourceSlice read, SliceInterner interner) {
        Slice slice = interner.intern(SliceReader.read(read));
        ResourceSliceSpec spec = read.getSpec();
        if (spec != null) {
            spec.setDevices(List.of());
            spec.setSharedCounters(List.of());
        }
        return new CompactSlice(read, slice);
    }

    @JsonIgnore
    Slice slice() {
        return slice;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return super.equals(other) && other instanceof CompactSlice same && slice.equals(same.slice);
    }

    @Override
    public int hashCode() {
        return Objects.hash(super.hashCode(), slice);
    }
}
