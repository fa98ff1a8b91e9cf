package dev.fakegpu.cli.input;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.cluster.validation.ManifestValidation;
import dev.fakegpu.hardware.inventory.field.SpecProblem;
import dev.fakegpu.hardware.slices.SliceRenderer;

/** Reads FakeGpus, and rejects what the API server or the operator would reject. */
public final class FakeGpus {

    private static final ObjectMapper JSON = new ObjectMapper();

    private FakeGpus() {}

    /** A FakeGpu without problems. */
    public record Named(String name, FakeGpuSpec spec) {}

    public static boolean isOne(Manifest manifest) {
        return manifest.isA(FakeGpu.GROUP, "FakeGpu");
    }

    /** @throws InvalidInputException with a message for each problem, in the words of the operator */
    public static Named read(Manifest manifest, SliceRenderer renderer) {
        FakeGpuSpec spec = spec(manifest);
        manifest.refuse(renderer.check(manifest.name(), spec).stream()
                .map(SpecProblem::sentence)
                .toList());
        return new Named(manifest.name(), spec);
    }

    /** @throws InvalidInputException if a field is unknown or has the wrong type */
    static FakeGpuSpec spec(Manifest manifest) {
        if (!manifest.json().path("spec").isObject()) {
            throw new InvalidInputException(manifest.title() + ": has no spec");
        }
        manifest.refuse(ManifestValidation.of(manifest.json(), FakeGpu.class).sentences(""));
        try {
            return JSON.treeToValue(manifest.json().path("spec"), FakeGpuSpec.class);
        } catch (JsonProcessingException e) {
            throw new InvalidInputException(manifest.title() + ": spec cannot be read: " + e.getOriginalMessage());
        }
    }
}
