package dev.fakegpu.dra.wire;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.field.SliceInterner;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.resource.v1.ResourcePool;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceSpec;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A ResourceSlice as the operator stores and writes it. Its devices and counter sets are a {@link Slice}, which takes a small fraction of
 * the memory of the client's objects. {@link SliceReader} reads it like any other slice, and {@link SliceWriter} writes it.
 */
@Group("resource.k8s.io")
@Version("v1")
@Kind("ResourceSlice")
@JsonSerialize(using = SliceWriter.OfCompact.class)
public final class CompactSlice extends ResourceSlice {

    private final transient Slice slice;
    private transient boolean isAssumed;
    private transient boolean isWithoutDevices;

    private CompactSlice(ObjectMeta metadata, @Nullable ResourceSliceSpec spec, Slice slice) {
        super("resource.k8s.io/v1", "ResourceSlice", metadata, spec);
        this.slice = slice;
    }

    /** @param read becomes part of the result without its devices and counter sets */
    public static CompactSlice of(ResourceSlice read, SliceInterner interner) {
        Slice slice = interner.intern(SliceReader.read(read));
        ResourceSliceSpec spec = read.getSpec();
        if (read.getMetadata() != null) {
            read.getMetadata().setManagedFields(List.of());
        }
        if (spec != null) {
            spec.setDevices(List.of());
            spec.setSharedCounters(List.of());
        }
        return new CompactSlice(read.getMetadata(), spec, slice);
    }

    /**
     * Creates a slice from JSON; empty if it has an unusual form, which only the client's model can read.
     *
     * @param object the slice as JSON
     * @param metadata the metadata of the object
     */
    public static Optional<CompactSlice> of(JsonNode object, ObjectMeta metadata, SliceInterner interner) {
        return SliceReader.readUsual(object).map(slice -> of(metadata, interner.intern(slice)));
    }

    /**
     * Creates a slice to be written.
     *
     * @param metadata has the name of the slice; to replace a stored slice, everything of its metadata that should stay
     */
    public static CompactSlice of(ObjectMeta metadata, Slice slice) {
        return new CompactSlice(metadata, spec(slice), slice);
    }

    /**
     * The slice after it was written. Until it is read again, it is assumed to be stored as it was sent.
     *
     * @param metadata the metadata as stored
     */
    public CompactSlice asStoredWith(ObjectMeta metadata) {
        var stored = new CompactSlice(metadata, getSpec(), slice);
        stored.isAssumed = true;
        return stored;
    }

    /**
     * What is kept of a slice if there is not enough memory for its devices.
     *
     * @param read the slice without devices and counter sets
     */
    public static CompactSlice withoutDevices(ResourceSlice read, SliceInterner interner) {
        CompactSlice kept = of(read, interner);
        kept.isWithoutDevices = true;
        return kept;
    }

    /** Whether the slice was written and not yet read again, so that the API server may have dropped fields or set defaults. */
    @JsonIgnore
    public boolean isAssumed() {
        return isAssumed;
    }

    /** Whether the devices and counter sets of the slice are not kept. */
    public static boolean isWithoutDevices(@Nullable HasMetadata object) {
        return object instanceof CompactSlice slice && slice.isWithoutDevices;
    }

    private static ResourceSliceSpec spec(Slice slice) {
        var spec = new ResourceSliceSpec();
        spec.setDriver(slice.pool().driver());
        var pool = new ResourcePool();
        pool.setName(slice.pool().name());
        pool.setGeneration(slice.generation());
        pool.setResourceSliceCount(slice.sliceCount());
        spec.setPool(pool);
        if (slice.nodes() instanceof NodeSelection.NodeName node) {
            spec.setNodeName(node.name());
        }
        return spec;
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
