package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.GroupsAnnotation;
import dev.fakegpu.dra.wire.MixinsAnnotation;
import dev.fakegpu.hardware.slices.MixinCompactor;
import dev.fakegpu.hardware.slices.ServedFields;
import dev.fakegpu.hardware.slices.SliceField;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The annotations of slices, which hold information that has no field. */
final class SliceAnnotations {

    private static final Set<String> KEYS = Set.of(GroupsAnnotation.KEY, MixinsAnnotation.KEY);

    private SliceAnnotations() {}

    /**
     * The desired annotations of a slice.
     *
     * @param complete the slice with all its fields
     * @param served the fields that are written
     */
    static Map<String, String> of(FakeGpuSpec spec, Slice complete, ServedFields served) {
        Map<String, String> annotations = new LinkedHashMap<>();
        String groups = served.serves(SliceField.COMPATIBILITY_GROUPS) ? null : GroupsAnnotation.write(complete);
        if (groups != null) {
            annotations.put(GroupsAnnotation.KEY, groups);
        }
        if (spec.showsMixins()) {
            annotations.put(
                    MixinsAnnotation.KEY, MixinsAnnotation.write(MixinCompactor.compact(served.strip(complete))));
        }
        return annotations;
    }

    /** The annotations of a stored slice that belong to this set. */
    static Map<String, String> of(ObjectMeta stored) {
        Map<String, String> annotations =
                new LinkedHashMap<>(Objects.requireNonNullElse(stored.getAnnotations(), Map.of()));
        annotations.keySet().retainAll(KEYS);
        return annotations;
    }

    /** All annotations of a stored slice, with its own annotations of this set replaced. */
    static Map<String, String> replaced(ObjectMeta stored, Map<String, String> annotations) {
        Map<String, String> all = new LinkedHashMap<>(Objects.requireNonNullElse(stored.getAnnotations(), Map.of()));
        all.keySet().removeAll(KEYS);
        all.putAll(annotations);
        return all;
    }
}
