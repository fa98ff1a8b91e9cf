package dev.fakegpu.simulate.memory;

import dev.fakegpu.dra.wire.CompactSlice;
import dev.fakegpu.dra.wire.SliceWriter;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** What the API server stores when a slice is written in place of another one: labels and annotations that others have set stay. */
final class ReplacedSlice {

    private ReplacedSlice() {}

    static ResourceSlice of(ResourceSlice stored, CompactSlice desired) {
        Map<String, String> annotations = new LinkedHashMap<>(
                Objects.requireNonNullElse(stored.getMetadata().getAnnotations(), Map.of()));
        annotations.putAll(desired.getMetadata().getAnnotations());
        annotations.values().removeIf(Objects::isNull);
        ResourceSlice written = SliceWriter.expand(desired);
        written.setMetadata(new ObjectMetaBuilder(stored.getMetadata())
                .addToLabels(desired.getMetadata().getLabels())
                .withAnnotations(annotations)
                .withOwnerReferences(desired.getMetadata().getOwnerReferences())
                .withGeneration(MemoryCluster.generation(stored) + 1)
                .build());
        return written;
    }
}
