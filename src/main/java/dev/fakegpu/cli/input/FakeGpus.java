package dev.fakegpu.cli.input;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.cluster.validation.ManifestValidation;
import dev.fakegpu.hardware.inventory.field.SpecProblem;
import dev.fakegpu.hardware.slices.SliceRenderer;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.kube.manifest.ManifestFields;
import dev.fakegpu.kube.manifest.ReadableManifest;
import java.util.ArrayList;
import java.util.List;

/** Reads FakeGpus, and rejects what the API server or the operator would reject. */
public final class FakeGpus {

    private static final ObjectMapper JSON = new ObjectMapper();

    private FakeGpus() {}

    /** A FakeGpu without problems. */
    public record Named(String name, FakeGpuSpec spec) {}

    public static boolean isOne(Manifest manifest) {
        return manifest.isA(FakeGpu.GROUP, "FakeGpu");
    }

    /**
     * Reads a FakeGpu. The operator's rules also apply to what can be read of a spec with unknown fields.
     *
     * @throws InvalidInputException with a message for each problem, in the words of the API server or the operator
     */
    public static Named read(Manifest manifest, SliceRenderer renderer) {
        if (!manifest.json().path("spec").isObject()) {
            throw new InvalidInputException(manifest.title() + ": has no spec");
        }
        ReadableManifest read = ManifestFields.readable(manifest.json(), FakeGpu.class, "", KubernetesVersion.NEWEST);
        var problems = new ArrayList<>(
                ManifestValidation.of(manifest.json(), FakeGpu.class).sentences(""));
        FakeGpuSpec spec = spec(manifest, read.readable(), problems);
        renderer.check(manifest.name(), spec).stream()
                .filter(problem -> !read.mayExplain(problem.field()))
                .map(SpecProblem::sentence)
                .forEach(problems::add);
        manifest.refuse(problems);
        return new Named(manifest.name(), spec);
    }

    /** @param problems what is wrong with the manifest otherwise; it is reported if the spec cannot be read because of it */
    private static FakeGpuSpec spec(Manifest manifest, JsonNode readable, List<String> problems) {
        try {
            return JSON.treeToValue(readable.path("spec"), FakeGpuSpec.class);
        } catch (JsonProcessingException e) {
            manifest.refuse(problems);
            throw new InvalidInputException(manifest.title() + ": spec cannot be read: " + e.getOriginalMessage());
        }
    }
}
