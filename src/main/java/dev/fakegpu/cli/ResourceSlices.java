package dev.fakegpu.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.SliceReader;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.Serialization;

/** Reads ResourceSlices as {@code kubectl get resourceslices -o yaml} prints them. */
final class ResourceSlices {

    private static final String GROUP = "resource.k8s.io";
    private static final String VERSION = GROUP + "/v1";

    private ResourceSlices() {}

    static boolean isOne(Manifest manifest) {
        return manifest.isA(GROUP, "ResourceSlice");
    }

    /** @throws InvalidInputException if it is of another version, in which fields have other places, or of another shape */
    static Slice read(Manifest manifest) {
        String version = manifest.json().path("apiVersion").asText();
        if (!version.equals(VERSION)) {
            throw new InvalidInputException(
                    "%s: apiVersion: \"%s\" cannot be read; allowed: %s, as printed by kubectl get resourceslices.v1.%s"
                            .formatted(manifest.title(), version, VERSION, GROUP));
        }
        try {
            return SliceReader.read(Serialization.jsonMapper().treeToValue(manifest.json(), ResourceSlice.class));
        } catch (JsonProcessingException e) {
            throw new InvalidInputException(manifest.title() + ": is no ResourceSlice: " + e.getOriginalMessage());
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException(manifest.title() + ": " + e.getMessage());
        }
    }
}
