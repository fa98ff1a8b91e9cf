package dev.fakegpu.dra.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.fakegpu.dra.ApiJson;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Slice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores compatibility groups in an annotation of a slice, either because the API server does not keep them in the spec, or because
 * kube-scheduler must not see them there:
 * {@code {"pool":"node-1/a100","generation":3,"devices":{"gpu-0":{"gpu-0-counter-set":["gpu-full"]}}}}.
 *
 * <p>64 devices with 2 groups of 63 characters on 2 counter sets each take 30 KiB. All annotations of an object together may have 256 KiB.
 */
public final class GroupsAnnotation {

    /** The key of the annotation on ResourceSlices. */
    public static final String KEY = "fakegpu.dev/compatibility-groups";

    private static final ObjectMapper JSON = new ObjectMapper(ApiJson.forParts());

    private GroupsAnnotation() {}

    /** The annotation with the generation and the groups of the slice; null if it has no groups. */
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
     * Reads a slice with its groups, from the spec or the annotation. The annotation counts only if the spec has no groups and the
     * annotation was written for this pool and generation, since another client may have changed only the spec.
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

    /** The value of the annotation; null if there is none. */
    public static @Nullable String text(ResourceSlice stored) {
        var annotations =
                stored.getMetadata() == null ? null : stored.getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(KEY);
    }

    /** Parses the annotation; empty if it cannot be parsed, since any client can write it. */
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
