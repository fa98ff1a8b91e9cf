package dev.fakegpu.dra.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.dra.ApiJson;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.field.SliceFields;
import dev.fakegpu.dra.mixin.MixedSlice;
import dev.fakegpu.dra.mixin.MixinsGate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Stores the form of a slice with mixins (KEP-5234) in an annotation, since no API server keeps mixins in the spec. */
public final class MixinsAnnotation {

    /** The key of the annotation on ResourceSlices. */
    public static final String KEY = "fakegpu.dev/mixins";

    /** All annotations of an object together may have 256 KiB. */
    static final int MAX_BYTES = 128 * 1024;

    private static final ObjectMapper JSON = new ObjectMapper(ApiJson.forParts());

    private MixinsAnnotation() {}

    /** The spec with mixins as JSON, or a sentence if that is too large. */
    public static String write(MixedSlice slice) {
        String spec = MixedSlices.spec(slice).toString();
        int bytes = spec.getBytes(UTF_8).length;
        return bytes <= MAX_BYTES
                ? spec
                : "not shown: with mixins the spec has %d bytes, and at most %d fit here".formatted(bytes, MAX_BYTES);
    }

    /** What schedulers would see of the slices, by name, if an API server had stored the mixins that their annotations show. */
    public static Map<String, MixinsGate.Visible> visible(Collection<ResourceSlice> stored, MixinsGate gate) {
        List<MixedSlice> slices = stored.stream().map(MixinsAnnotation::read).toList();
        Map<String, MixinsGate.Visible> visible = new LinkedHashMap<>();
        gate.visible(slices).forEach(each -> visible.put(each.slice().name(), each));
        return visible;
    }

    /** Reads the annotation. It counts only if it matches the spec, since another client may have changed either of them. */
    private static MixedSlice read(ResourceSlice stored) {
        Slice slice = SliceReader.read(stored);
        try {
            return shown(stored, slice.name())
                    .filter(shown -> isOf(slice, shown.flat()))
                    .orElseGet(() -> MixedSlice.plain(slice));
        } catch (JsonProcessingException | IllegalArgumentException e) {
            return MixedSlice.plain(slice); // any client can write the annotation
        }
    }

    private static Optional<MixedSlice> shown(ResourceSlice stored, String name) throws JsonProcessingException {
        Map<String, String> annotations = stored.getMetadata().getAnnotations();
        String text = annotations == null ? null : annotations.get(KEY);
        if (text == null) {
            return Optional.empty();
        }
        JsonNode object = JSON.createObjectNode().set("spec", JSON.readTree(text));
        return Optional.of(MixedSlices.read(
                object, json -> SliceFields.SPEC.read(json.path("spec")).named(name)));
    }

    private static boolean isOf(Slice slice, Slice shown) {
        return shown.pool().equals(slice.pool())
                && shown.generation() == slice.generation()
                && names(shown).equals(names(slice));
    }

    private static List<String> names(Slice slice) {
        return slice.devices().stream().map(Device::name).toList();
    }
}
