package dev.fakegpu.dra.wire;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.SliceInterner;
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
 * A ResourceSlice as the operator keeps and writes it: its devices and counter sets are a {@link Slice}, which takes a small fraction of the
 * memory of the client's objects. {@link SliceReader} reads it like any other, and {@link SliceWriter} writes it.
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

    /** @param read becomes part of the result, and loses its devices and counter sets */
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
     * A slice that is read; empty if it is not of the usual form, so that the client's model must read it.
     *
     * @param object as JSON
     * @param metadata of the object
     */
    public static Optional<CompactSlice> of(JsonNode object, ObjectMeta metadata, SliceInterner interner) {
        return SliceReader.readUsual(object).map(slice -> of(metadata, interner.intern(slice)));
    }

    /**
     * A slice to be written.
     *
     * @param metadata with the slice's name; in place of a stored one, with all that is to stay of that one's
     */
    public static CompactSlice of(ObjectMeta metadata, Slice slice) {
        return new CompactSlice(metadata, spec(slice), slice);
    }

    /**
     * This slice after it was written; that it is stored as it was sent is assumed until it is read.
     *
     * @param metadata as it is stored
     */
    public CompactSlice asStoredWith(ObjectMeta metadata) {
        var stored = new CompactSlice(metadata, getSpec(), slice);
        stored.isAssumed = true;
        return stored;
    }

    /**
     * What is kept of a slice for whose devices there is no memory.
     *
     * @param read without devices and counter sets
     */
    public static CompactSlice withoutDevices(ResourceSlice read, SliceInterner interner) {
        CompactSlice kept = of(read, interner);
        kept.isWithoutDevices = true;
        return kept;
    }

    /** Whether it was written and not yet read, so that the API server may have dropped fields or set defaults. */
    @JsonIgnore
    public boolean isAssumed() {
        return isAssumed;
    }

    /** Whether it is a slice whose devices and counter sets are not kept, whatever they are. */
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
