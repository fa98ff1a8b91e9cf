package dev.fakegpu.cli.input;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.cluster.validation.ApiValidation;
import dev.fakegpu.cluster.validation.FieldError;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.dra.wire.SliceWriter;
import dev.fakegpu.kube.client.ClientSerialization;
import dev.fakegpu.kube.client.UnreadableFields;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;

/** Reads ResourceSlices as {@code kubectl get resourceslices -o yaml} prints them. */
public final class ResourceSlices {

    static final String GROUP = "resource.k8s.io";
    private static final String VERSION = GROUP + "/v1";

    /** Reports every field of the wrong type, while Jackson would report only the first one. */
    private static final ObjectMapper JSON = ClientSerialization.mapper();

    private ResourceSlices() {}

    public static boolean isOne(Manifest manifest) {
        return manifest.isA(GROUP, "ResourceSlice");
    }

    /** @throws InvalidInputException if it is malformed, or if it has another API version, which has other fields */
    static Slice read(Manifest manifest) {
        String version = manifest.json().path("apiVersion").asText();
        if (!version.equals(VERSION)) {
            throw new InvalidInputException(
                    "%s: apiVersion: \"%s\" cannot be read; allowed: %s, as printed by kubectl get resourceslices.v1.%s"
                            .formatted(manifest.title(), version, VERSION, GROUP));
        }
        try {
            var slice = JSON.treeToValue(manifest.json(), ResourceSlice.class);
            UnreadableFields.of(slice).ifPresent(fields -> {
                throw new InvalidInputException(manifest.title() + ": " + fields);
            });
            return SliceReader.read(slice);
        } catch (JsonProcessingException e) {
            throw new InvalidInputException(manifest.title() + ": is not a ResourceSlice: " + e.getOriginalMessage());
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException(manifest.title() + ": " + e.getMessage());
        }
    }

    static JsonNode json(Slice slice) {
        return Serialization.jsonMapper().valueToTree(SliceWriter.write(slice));
    }

    /**
     * What an API server would do with a slice that can be read here: why it would refuse it, unless it has already stored it, and that it
     * drops mixins.
     *
     * @param slice the slice with its mixins resolved
     */
    public static List<String> remarks(Manifest manifest, Slice slice) {
        var remarks = new ArrayList<String>();
        if (MixinSlices.areIn(manifest)) {
            remarks.add(manifest.title() + ": its mixins are resolved here; no API server keeps them");
        }
        boolean isStored = manifest.json().path("metadata").hasNonNull("uid");
        List<FieldError> errors =
                isStored ? List.of() : ApiValidation.errors(MixinSlices.resolved(manifest.json(), slice));
        if (!errors.isEmpty()) {
            remarks.add("%s: the API server would refuse it: %s%s"
                    .formatted(
                            manifest.title(),
                            errors.get(0).sentence(),
                            errors.size() == 1
                                    ? ""
                                    : " (and %s more, which fakegpu check lists)".formatted(errors.size() - 1)));
        }
        return remarks;
    }

    /**
     * The paths of fields in the manifest's spec that the parsed slice does not have, such as those of a newer API: {@code
     * spec.devices[0].shape}.
     */
    public static List<String> unknownFields(Manifest manifest, Slice slice) {
        JsonNode kept = json(slice);
        var fields = new ArrayList<String>();
        compare("spec", manifest.json().path("spec"), kept.path("spec"), fields);
        return List.copyOf(fields);
    }

    private static void compare(String path, JsonNode written, JsonNode kept, List<String> missing) {
        if (isNothing(written)) {
            return;
        }
        if (kept.isMissingNode() || written.isContainerNode() != kept.isContainerNode()) {
            missing.add(path);
        } else if (written.isObject()) {
            written.properties()
                    .forEach(field ->
                            compare(path + "." + field.getKey(), field.getValue(), kept.path(field.getKey()), missing));
        } else if (written.isArray()) {
            for (int i = 0; i < written.size(); i++) {
                compare(path + "[" + i + "]", written.get(i), kept.path(i), missing);
            }
        }
    }

    /** Whether the value is equivalent to leaving out the field. */
    private static boolean isNothing(JsonNode value) {
        return value.isNull()
                || (value.isBoolean() && !value.asBoolean())
                || (value.isTextual() && value.asText().isEmpty())
                || (value.isContainerNode() && value.isEmpty());
    }
}
