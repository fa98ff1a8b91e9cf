package dev.fakegpu.simulate.memory;

import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.dra.wire.SliceWriter;
import dev.fakegpu.hardware.slices.SliceField;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.List;

/** Drops the fields of ResourceSlices that a version of Kubernetes does not have, as its API server does where fields are not validated. */
public final class KeptFields {

    private final KubernetesVersion version;
    private final List<String> notes = new ArrayList<>();

    public KeptFields(KubernetesVersion version) {
        this.version = version;
    }

    /** What was dropped, one sentence for each field of a slice. */
    public List<String> notes() {
        return List.copyOf(notes);
    }

    /** The object as the API server stores it; changed if it is a slice with such fields. */
    public HasMetadata kept(HasMetadata object) {
        if (!(object instanceof ResourceSlice resourceSlice)) {
            return object;
        }
        Slice slice = SliceReader.read(resourceSlice);
        var missing = version.fields().missing(List.of(slice));
        if (!missing.isEmpty()) {
            resourceSlice.setSpec(
                    SliceWriter.write(version.fields().strip(slice)).getSpec());
            missing.forEach(field -> notes.add(note(slice.name(), field)));
        }
        return resourceSlice;
    }

    private String note(String slice, SliceField field) {
        return "ResourceSlice %s: Kubernetes %s has no %s, which it drops: %s of %s is in 1.%s or newer"
                .formatted(slice, version, field.text(), field.property(), field.schema(), field.since());
    }
}
