package dev.fakegpu.dra.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Slice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compatibility groups in an annotation of a slice, either because the API server does not keep them in the spec or because
 * kube-scheduler must not see them there: {@code {"pool":"node-1/a100","generation":3,"devices":{"gpu-0":{"gpu-0-counter-set":["gpu-full"]}}}}.
 *
 * <p>64 devices with 2 groups of 63 letters on 2 counter sets each take 30 KiB; all annotations together may have 256 KiB.
 */
public final class GroupsAnnotation {

    /** On ResourceSlices. */
    public static final String KEY = "fakegpu.dev/compatibility-groups";

    private static final ObjectMapper JSON = new ObjectMapper();

    private GroupsAnnotation() {}

    /** The annotation with the groups of a slice and its generation; null if it has no groups. */
    public static @Nullable String write(Slice slice) {
        if (!slice.usesCompatibilityGroups()) {
            return null;
        }
        var content = JSON.createObjectNode();
        content.put("pool", slice.pool().name()).put("generation", slice.generation());
        var devices = content.putObject("devices");
        slice.devices().stream().filter(Device::usesCompatibilityGroups).forEach(device -> {
            var groups = devices.putObject(device.name());
            device.consumesCounters().stream()
                    .filter(consumption -> !consumption.compatibilityGroups().isEmpty())
                    .forEach(consumption -> {
                        var names = groups.putArray(consumption.counterSet());
                        consumption.compatibilityGroups().forEach(names::add);
                    });
        });
        return content.toString();
    }

    /**
     * Reads a slice with its groups, from spec or annotation. The annotation counts only if the spec has no groups and the annotation
     * was written for this pool and generation: another client may have changed the spec since, but not the annotation.
     */
    public static Slice read(ResourceSlice stored) {
        return withGroups(SliceReader.read(stored), stored);
    }

    /** @param slice the slice as {@link SliceReader} read it */
    public static Slice withGroups(Slice slice, ResourceSlice stored) {
        JsonNode content = content(stored);
        if (slice.usesCompatibilityGroups()
                || !slice.pool().name().equals(content.path("pool").asText())
                || slice.generation() != content.path("generation").asLong(-1)) {
            return slice;
        }
        JsonNode devices = content.path("devices");
        return slice.mapDevices(device -> device.withConsumption(consumption ->
                consumption.withGroups(texts(devices.path(device.name()).path(consumption.counterSet())))));
    }

    /** The raw annotation, or null. */
    public static @Nullable String text(ResourceSlice stored) {
        var annotations =
                stored.getMetadata() == null ? null : stored.getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(KEY);
    }

    /** Empty if the annotation is not readable: it can hold anything. */
    private static JsonNode content(ResourceSlice stored) {
        String text = text(stored);
        if (text == null) {
            return MissingNode.getInstance();
        }
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }

    private static List<String> texts(JsonNode array) {
        var texts = new ArrayList<String>();
        array.forEach(element -> texts.add(element.asText()));
        return texts;
    }
}
